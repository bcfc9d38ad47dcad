// @ts-check
/** Requests to the server: each carries the token of the address and the session of this tab. */

const token = location.hash.slice(1);
let session = "";

/** Whether the address has a token. */
export const hasToken = () => token !== "";

/** Set the session of this tab. @param {string} key */
export const setSession = (key) => { session = key; };

/** An answer that refuses, with the reason as one sentence. */
export class Refusal extends Error {}

/**
 * @param {string} path @param {{json?: any, body?: Blob, signal?: AbortSignal}} [options]
 * @returns {Promise<Response>}
 */
export async function request(path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = { "X-Gramian-Token": token };
  if (session) headers["X-Gramian-Session"] = session;
  const sent = options.json !== undefined ? JSON.stringify(options.json) : options.body;
  if (options.json !== undefined) headers["Content-Type"] = "application/json";
  const method = sent === undefined ? "GET" : "POST";
  const answer = await fetch(path, { method, headers, body: sent, signal: options.signal });
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({}));  // where it is no JSON, the status is all there is
  throw new Refusal(error || String(answer.status));
}

/** @param {string} path @param {any} [json] @returns {Promise<any>} */
export async function ask(path, json) {
  return (await request(path, { json })).json();
}

/**
 * Read the stream of events until it ends, and again after a pause.
 * @param {(event: any) => void} hear @param {() => void} lost
 */
export async function listen(hear, lost) {
  let last = 0, failures = 0;
  for (;;) {
    try {
      const answer = await request(`/api/events?after=${last}`);
      const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
      const decoder = new TextDecoder();
      let rest = "";
      failures = 0;
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop() || "";
        for (const line of lines.filter(Boolean)) {
          const event = JSON.parse(line);
          last = event.sequence;
          hear(event);
        }
      }
    } catch (error) {
      if (error instanceof Refusal) return lost();
      failures += 1;
      if (failures > 3) return lost();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Save an answer of the server as a file. @param {any} json */
export async function download(json) {
  const answer = await request("/api/export", { json });
  const named = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("Content-Disposition") || "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = named ? decodeURIComponent(named[1]) : "gramian";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
