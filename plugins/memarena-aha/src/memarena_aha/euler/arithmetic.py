"""Number theory that several taught methods need; the slow solvers use none of it."""

from __future__ import annotations

__all__ = ["divisors", "factorise", "is_prime", "primes_below", "totient"]

WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Enough for a certain answer below 3.3e24."""


def primes_below(bound: int) -> list[int]:
    """All primes below `bound`."""
    sieve = bytearray([1]) * max(bound, 2)
    sieve[0:2] = b"\x00\x00"
    for number in range(2, int(bound**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, len(sieve), number)))
    return [number for number in range(2, bound) if sieve[number]]


def is_prime(number: int) -> bool:
    """True for a prime (Miller and Rabin's test with fixed witnesses)."""
    if number < 2:
        return False
    for prime in WITNESSES:
        if number % prime == 0:
            return number == prime
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for witness in WITNESSES:
        power = pow(witness, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def factorise(number: int) -> dict[int, int]:
    """Exponents by prime, by trial division."""
    factors: dict[int, int] = {}
    prime = 2
    while prime * prime <= number:
        while number % prime == 0:
            factors[prime] = factors.get(prime, 0) + 1
            number //= prime
        prime += 1 if prime == 2 else 2
    if number > 1:
        factors[number] = factors.get(number, 0) + 1
    return factors


def divisors(number: int) -> list[int]:
    """All divisors, in order."""
    found = [1]
    for prime, exponent in factorise(number).items():
        found = [one * prime**power for one in found for power in range(exponent + 1)]
    return sorted(found)


def totient(number: int) -> int:
    """How many numbers up to `number` share no factor with it."""
    for prime in factorise(number):
        number = number // prime * (prime - 1)
    return number
