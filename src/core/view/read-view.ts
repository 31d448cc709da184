/** `readView`: the public document of a run, as its row holds it. */
import type { RunJson } from './run-json.ts';

/** Rows that an older Mayday wrote lack the newer keys. */
export function readView({ view }: { readonly view: string }): RunJson {
  return JSON.parse(view) as RunJson;
}
