/** `readView`: the public document of a run, as its row holds it. */
import type { RunJson } from './run-json.ts';

/** Rows that an older Mayday wrote lack the newer keys; whether they are proven is derived from the older ones. */
export function readView({ view }: { readonly view: string }): RunJson {
  const run = JSON.parse(view) as RunJson;
  return (run.proven as boolean | undefined) === undefined ? withProof(run) : run;
}

function withProof(run: RunJson): RunJson {
  const waived = (run.not_proven as unknown as string | null | undefined) ?? null;
  const proven = run.state === 'delivered' && waived === null;
  const isOver = run.state === 'delivered' || run.state === 'unverified';
  const reason = isOver ? (waived ?? 'there was nothing to check with') : 'nothing is delivered';
  const word = isOver && !proven ? 'not_proven' : (run.word ?? run.state);
  // Its recommendation may widen or waive.
  const questions = run.questions?.map((question) => ({ ...question, recommended: null }));
  return { ...run, proven, not_proven: proven ? [] : [reason], word, questions };
}
