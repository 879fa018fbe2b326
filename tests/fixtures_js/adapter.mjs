// Keeps every turn word for word and ranks turns by how many of the question's words they have.
console.log = console.error; // standard output belongs to the protocol

const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
const added = (item) => ({ op: "add", memory_id: item.memory_id, text: item.text });
let items = [];

const methods = {
  reset: () => void (items = []),
  ingest_turn: ({ turn }) => {
    const when = turn.time ? `[${turn.time}] ` : "";
    const text = `${when}${turn.role ?? "user"}: ${turn.text ?? ""}`; // a default is left out
    items.push({ memory_id: turn.turn_id, text, session_id: turn.session_id, turn_ids: [turn.turn_id] });
  },
  end_session: () => null,
  snapshot_memories: () => items,
  export_memory_delta: ({ session_id }) => items.filter((item) => item.session_id === session_id).map(added),
  retrieve: ({ query, top_k }) => {
    const asked = [...words(query)];
    const score = (held) => asked.filter((word) => held.has(word)).length;
    const ranked = items.map((item) => ({ ...item, score: score(words(item.text)) })).sort((a, b) => b.score - a.score);
    return { query, items: ranked.slice(0, top_k) };
  },
  get_capabilities: () => ({ modalities: ["text"], delta: true, verbatim: true }),
};
const honours = { reset: [], ingest_turn: ["turn"], end_session: [], snapshot_memories: [],
  export_memory_delta: ["session_id"], retrieve: ["query", "top_k"], get_capabilities: [] };
methods.hello = () => ({ protocol: 1, honours, runtime: `Node ${process.version}` });

let rest = "";
for await (const chunk of process.stdin.setEncoding("utf8")) {
  const lines = (rest + chunk).split("\n"); // at \n alone: readline would also split inside of texts
  rest = lines.pop();
  for (const { id, method, params } of lines.map(JSON.parse)) {
    const reply = { id };
    try { reply.result = methods[method](params); }
    catch (error) { reply.error = { kind: error.name, message: error.message, trace: error.stack }; }
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
}
