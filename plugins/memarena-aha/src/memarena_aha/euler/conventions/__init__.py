"""Operations that nobody knows who was not taught them: the convention sub-track."""
