"use strict";
const units = [...document.querySelectorAll(".unit")];
const place = "review " + document.body.dataset.name;
const reviewer = document.getElementById("reviewer");
const state = document.getElementById("state");
let kept = { reviewer: "", decisions: {} };

function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(place) || "null");
    return found && typeof found.decisions === "object" && found.decisions ? found : kept;
  } catch {
    return kept;
  }
}

function remember() {
  try {
    localStorage.setItem(place, JSON.stringify(kept));
    return "";
  } catch {
    return "; this browser keeps nothing: save before you leave";
  }
}

function tell(more = "") {
  state.textContent = Object.keys(kept.decisions).length + " of " + units.length + remember() + more;
}

function fields(unit) {
  return [...unit.querySelectorAll("textarea")];
}

function paint(unit) {
  const held = kept.decisions[unit.id];
  unit.className = "unit" + (held ? " " + held.verdict : "");
  for (const choice of unit.querySelectorAll("input[type=radio]")) {
    choice.checked = choice.value === (held ? held.verdict : "undecided");
  }
}

function decide(unit, verdict) {
  if (verdict === "undecided") {
    delete kept.decisions[unit.id];
  } else {
    const found = { verdict, of: unit.dataset.of };
    if (verdict === "edit") for (const field of fields(unit)) found[field.name] = field.value;
    kept.decisions[unit.id] = found;
  }
  paint(unit);
  tell();
}

function take(found) {
  kept = { reviewer: String(found.reviewer || ""), decisions: {} };
  for (const unit of units) {
    const held = found.decisions[unit.id];
    if (!held || (held.of && held.of !== unit.dataset.of)) continue;
    kept.decisions[unit.id] = held;
    if (held.verdict === "edit") {
      for (const field of fields(unit)) if (typeof held[field.name] === "string") field.value = held[field.name];
    }
  }
  reviewer.value = kept.reviewer;
  units.forEach(paint);
  tell();
}

function move(step) {
  const here = units.indexOf(document.activeElement.closest(".unit"));
  const open = units.filter((unit) => unit.offsetParent !== null);
  const next = here < 0 ? open[0] : open[open.indexOf(units[here]) + step];
  if (next) next.focus();
}

for (const unit of units) {
  for (const field of fields(unit)) field.addEventListener("input", () => decide(unit, "edit"));
  for (const choice of unit.querySelectorAll("input[type=radio]")) {
    choice.addEventListener("change", () => decide(unit, choice.value));
  }
}
reviewer.addEventListener("input", () => { kept.reviewer = reviewer.value; tell(); });
document.getElementById("hide").addEventListener("change", (event) => {
  document.body.classList.toggle("open-only", event.target.checked);
});
document.getElementById("open").addEventListener("change", async (event) => {
  try {
    take(JSON.parse(await event.target.files[0].text()));
  } catch {
    tell("; that file is no saved review");
  }
});
document.getElementById("save").addEventListener("click", () => {
  const blank = units.find((unit) => {
    const held = kept.decisions[unit.id];
    return held && held.verdict === "edit" && !held.text.trim();
  });
  if (!reviewer.value.trim() || blank) {
    (blank || reviewer).focus();
    tell(blank ? "; an edit has no words" : "; say who you are");
    return;
  }
  const file = new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "review-" + kept.reviewer.trim().replace(/[^\p{L}\p{N}]+/gu, "-") + ".json";
  link.click();
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("textarea, input:not([type=radio]):not([type=checkbox])");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const unit = document.activeElement.closest(".unit");
  const verdict = { a: "accept", e: "edit", r: "reject", u: "undecided" }[event.key];
  if (event.key === "n" || event.key === "p") move(event.key === "n" ? 1 : -1);
  else if (verdict && unit) {
    decide(unit, verdict);
    if (verdict === "edit") fields(unit)[0].focus();
  } else return;
  event.preventDefault();
});
take(remembered());
