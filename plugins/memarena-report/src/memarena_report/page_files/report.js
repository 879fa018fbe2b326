"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // Sorting: by the value of a cell, undefined ones last; a second click turns the order.
  for (const button of all(".sort")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const body = one("tbody", button.closest("table"));
      const column = Number(button.dataset.column);
      const down = head.getAttribute("aria-sort") !== "descending" && column > 0 || head.getAttribute("aria-sort") === "ascending";
      for (const other of all("th[aria-sort]", button.closest("table"))) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.children[column];
        return column === 0 ? cell.textContent.trim() : cell.dataset.value === "" ? null : Number(cell.dataset.value);
      };
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === null || y === null) return (x === null) - (y === null);
        const sign = typeof x === "string" ? x.localeCompare(y) : x - y;
        return down ? -sign : sign;
      };
      body.append(...all(":scope > tr", body).sort(order));
    });
  }

  // The legends: a system is hidden or shown in all charts.
  for (const key of all(".key")) {
    key.addEventListener("click", () => {
      const shown = key.getAttribute("aria-pressed") !== "true";
      for (const other of all(".key")) if (other.dataset.series === key.dataset.series) other.setAttribute("aria-pressed", String(shown));
      for (const line of all(".series")) if (line.dataset.series === key.dataset.series) line.classList.toggle("off", !shown);
    });
  }

  // The questions.
  const list = one("#list");
  if (!list) return;
  const data = JSON.parse(one("#traces").textContent);
  const NAMES = { C: "Correct", H: "Hallucination", O: "Omission", "!": "invalid", ".": "not scored" };
  const LOST = {
    W: "never written", M: "not maintained", R: "not retrieved", U: "lost unseen", S: "not shown", N: "not used",
    X: "made up", "?": "lost at a stage that is not known",
  };
  const STAGES = { write: "W", maintain: "M", retrieve: "R", unseen: "U", show: "S", use: "N", "made up": "X" };
  const HELD = { a: "active", k: "kept, not active", s: "only an older version is active", x: "absent", n: "not told", "?": "not known" };
  const PAGE = 50;
  const opened = new Map();
  let rows = [];
  let found = [];
  let visible = 0;

  const inflate = async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const sampleOf = (id) => {
    if (!opened.has(id)) opened.set(id, inflate(data.blobs[id]));
    return opened.get(id);
  };
  const mark = (label, system, on) => {
    const element = make("span", `mark ${label in NAMES && /[CHO]/.test(label) ? label : ""}${on ? " on" : ""}`, label);
    element.title = `${data.systems[system]}: ${NAMES[label]}`;
    return element;
  };
  const chosen = () => Number(one("#f-system").value);

  const filter = () => {
    const words = one("#f-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [system, label, kind, sample] = [chosen(), one("#f-label").value, one("#f-type").value, one("#f-sample").value];
    const lost = one("#f-lost")?.value;
    const differ = one("#f-differ").checked;
    found = rows.filter((row) =>
      (!label || row.labels[system] === label) && (!kind || row.kind === kind) && (!sample || row.sample === sample) &&
      (!lost || row.lost[system] === lost) &&
      (!differ || new Set(row.labels).size > 1) && words.every((word) => row.lower.includes(word)));
    visible = 0;
    list.replaceChildren();
    one("#f-count").textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} questions`;
    more();
  };
  const more = () => {
    list.append(...found.slice(visible, visible + PAGE).map(entry));
    visible = Math.min(visible + PAGE, found.length);
    one("#more").hidden = visible >= found.length;
  };
  const entry = (row) => {
    const item = make("li");
    const ask = make("button", "ask");
    ask.type = "button";
    ask.setAttribute("aria-expanded", "false");
    const marks = make("span", "marks");
    if (row.lost[chosen()] in LOST) marks.append(make("span", "lost", LOST[row.lost[chosen()]]));
    [...row.labels].forEach((label, system) => marks.append(mark(label, system, system === chosen() && row.labels.length > 1)));
    const text = make("span", "", row.text);
    text.dir = "auto";
    ask.append(make("span", "type", row.kind), text, marks);
    ask.addEventListener("click", async () => {
      const shown = one(".trace", item);
      ask.setAttribute("aria-expanded", String(!shown));
      if (shown) { shown.remove(); return; }
      const place = make("div", "trace", "…");
      item.append(place);
      try {
        const sample = await sampleOf(row.sample);
        place.replaceChildren(...trace(row, sample.q[row.id], sample.t));
      } catch (error) {
        place.textContent = `This browser cannot open the trace: ${error.message}`;
      }
    });
    item.append(ask);
    return item;
  };

  const paragraph = (text, className) => {
    const element = make("p", className, text);
    element.dir = "auto";
    return element;
  };
  const step = (title, ...content) => {
    const box = make("div");
    box.append(make("h4", "", title), ...content);
    return box;
  };
  const items = (entries) => {
    const element = make("ol", "items");
    for (const [text, meta, className] of entries) {
      const item = make("li", className);
      item.dir = "auto";
      item.append(make("span", "meta", meta), text);
      element.append(item);
    }
    return element;
  };

  const trace = (row, question, texts) => {
    const head = make("div");
    const meta = `${row.sample} · ${row.id} · asked after session ${question.s} of ${question.n}`;
    head.append(make("p", "meta", meta));
    head.append(step("Reference answer", paragraph(question.r), ...(question.u ? [make("p", "meta", "no answer is in the sessions: to abstain is right")] : [])));
    if (question.w) head.append(step("The gold is known to be wrong", paragraph(question.w)));
    const evidence = question.e.map(([id, session, kind, text]) => [texts[text], [id, session && `session ${session}`, kind].filter(Boolean).join(" · "), ""]);
    head.append(step(`Evidence (${question.e.length})`, evidence.length ? items(evidence) : make("p", "meta", "none")));
    const told = question.e.flatMap(([id, , , , turns]) => turns.map(([turn, time, text]) => [texts[text], [`${id} told in ${turn}`, time].filter(Boolean).join(" · "), ""]));
    if (told.length) {
      const box = make("details");
      box.append(make("summary", "", `Told in ${told.length} ${told.length === 1 ? "turn" : "turns"}`), items(told));
      head.append(box);
    }
    const pick = make("div", "pick");
    const place = make("div");
    const show = (system) => {
      for (const button of all("button", pick)) button.setAttribute("aria-pressed", String(Number(button.dataset.system) === system));
      place.replaceChildren(...way(question, question.y[system], texts, row.labels[system]));
    };
    data.systems.forEach((name, system) => {
      const button = make("button", "", name);
      button.type = "button";
      button.dataset.system = system;
      button.append(mark(row.labels[system], system));
      button.addEventListener("click", () => show(system));
      pick.append(button);
    });
    show(chosen());
    return [head, pick, place];
  };

  const written = (question, seen, texts) => {
    const found = question.e.flatMap(([id], point) =>
      (seen.d[point] || []).map(([op, text, share]) => [texts[text], `${op} · ${share} % of the words of ${id}`, share >= 75 ? "hit" : ""]));
    const none = !seen.v ? "its state is not visible" : question.e.length ? "nothing in the sessions of the evidence resembles it" : "no evidence";
    return step("Written", found.length ? items(found) : make("p", "meta", none));
  };

  // Each piece of evidence: how it stood after each session, and the changes of what states it.
  const kept = (question, seen, texts) => {
    const content = question.e.flatMap(([id], point) => {
      const story = seen.h[point];
      if (!story) return [make("p", "meta", `${id}: cannot be followed`)];
      if (!story.h) return [make("p", "meta", `${id}: the state of the system is not visible`)];
      const strip = make("span", "strip");
      strip.setAttribute("role", "img");
      const names = [...story.h].map((held, place) => `session ${story.s + place}: ${HELD[held]}`);
      strip.setAttribute("aria-label", names.join(", "));
      [...story.h].forEach((held, place) => {
        const cell = make("i", `held-${held === "?" ? "u" : held}`, String(story.s + place));
        cell.title = names[place];
        strip.append(cell);
      });
      const changes = story.c.map(([session, op, memory, text, previous]) => [
        [texts[text], ...previous.map((old) => `was: ${texts[old]}`)].join("\n"), `session ${session} · ${op} · ${memory}`, "",
      ]);
      const name = make("p", "meta", `${id}, after each session: `);
      name.append(strip);
      return [name, changes.length ? items(changes) : make("p", "meta", "no change that states it")];
    });
    return step("Written and kept", ...(content.length ? content : [make("p", "meta", "no evidence")]));
  };

  const way = (question, seen, texts, label) => {
    if (!seen) return [make("p", "meta", "This system did not finish this sample.")];
    const steps = make("div", "steps");
    const verdict = seen.l === null ? LOST["?"] : seen.l ? [LOST[STAGES[seen.l]] || seen.l, seen.w].filter(Boolean).join(": ") : "";
    steps.append(seen.h ? kept(question, seen, texts) : written(question, seen, texts));
    const shownAll = seen.g.every(([, , , shown]) => shown);
    const ranked = seen.g.map(([text, score, hits, shown], rank) => [
      texts[text],
      [`#${rank + 1}`, score === null ? "" : score.toPrecision(3), hits.length ? `evidence ${hits.map((hit) => hit + 1).join(", ")}` : "", shown || shownAll ? "" : "not shown"].filter(Boolean).join(" · "),
      [hits.length ? "hit" : "", shown ? "" : "cut"].join(" ").trim(),
    ]);
    const nothing = seen.z ? "answers by itself: retrieves nothing here" : "nothing";
    const handed = seen.g.filter(([, , , shown]) => shown).length;
    steps.append(step(`Retrieved (${seen.g.length}), shown to the answerer (${handed})`, ranked.length ? items(ranked) : make("p", "meta", nothing)));
    const answer = [paragraph(seen.a || "(empty)", "answer"), mark(label, 0), make("span", "meta", ` ${NAMES[label]}`)];
    answer[1].title = NAMES[label];
    if (seen.f) answer.push(paragraph(seen.f, "meta"));
    if (seen.j) answer.push(paragraph(`Judge: ${seen.j}`, "meta"));
    if (seen.b) answer.push(make("p", "meta", `Cut before the answerer: ${seen.b}`));
    steps.append(step("Answer", ...answer));
    return verdict ? [make("p", "verdict", verdict[0].toUpperCase() + verdict.slice(1)), steps] : [steps];
  };

  for (const control of all(".filters input, .filters select")) control.addEventListener("input", filter);
  one(".filters").addEventListener("submit", (event) => event.preventDefault());
  one("#more").addEventListener("click", more);
  inflate(data.index).then((samples) => {
    rows = samples.flatMap(({ id, q }) => q.map(([unit, kind, text, labels, lost]) => ({ sample: id, id: unit, kind, text, labels, lost, lower: text.toLowerCase() })));
    filter();
  }).catch((error) => {
    one("#f-count").textContent = `This browser cannot open the traces: ${error.message}`;
  });
})();
