"use strict";
const units = [...document.querySelectorAll(".unit")];
const place = "review " + document.body.dataset.name;
const kept = JSON.parse(localStorage.getItem(place) || '{"reviewer": "", "decisions": {}}');
const reviewer = document.getElementById("reviewer");
const state = document.getElementById("state");

function show() {
  state.textContent = Object.keys(kept.decisions).length + " of " + units.length;
  localStorage.setItem(place, JSON.stringify(kept));
}

function decide(unit, verdict) {
  unit.className = "unit " + verdict;
  const found = { verdict };
  if (verdict === "edit") {
    for (const field of unit.querySelectorAll("textarea")) found[field.name] = field.value;
  }
  kept.decisions[unit.id] = found;
  show();
}

for (const unit of units) {
  const before = kept.decisions[unit.id];
  for (const field of unit.querySelectorAll("textarea")) {
    if (before && before[field.name] !== undefined) field.value = before[field.name];
    field.addEventListener("input", () => decide(unit, "edit"));
  }
  for (const choice of unit.querySelectorAll("input[type=radio]")) {
    choice.checked = Boolean(before) && before.verdict === choice.value;
    choice.addEventListener("change", () => decide(unit, choice.value));
  }
  if (before) unit.className = "unit " + before.verdict;
}
reviewer.value = kept.reviewer;
reviewer.addEventListener("input", () => { kept.reviewer = reviewer.value; show(); });
document.getElementById("save").addEventListener("click", () => {
  const file = new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "review-" + (kept.reviewer || "nobody").replace(/\W+/g, "-") + ".json";
  link.click();
});
show();
