/** `renderQuestion`: a question as text: what to decide, why now, what was tried, the options. `renderForAll`: as all its runs ask it. */
import { lastCheckpoint } from '../../core/state/last-tree.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { wordsForAll } from '../../core/view/words-for-all.ts';
import { answerCall, DISK_QUESTION, type Question } from '../../core/vocabulary/questions/question.ts';
import { recommendedOf } from '../../core/vocabulary/questions/recommended.ts';
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import type { RunRecord } from '../../record/contract.ts';
import { sharedQuestions } from '../../supervise/shared-questions.ts';
import { plain } from './plain.ts';

export async function renderForAll(
  record: RunRecord,
  state: RunState,
  question: Question,
  here: string | null = null,
): Promise<string> {
  const checkpoint = lastCheckpoint(state)?.number ?? null;
  const all = (await sharedQuestions(record, Date.now())).get(question.id);
  if (all === undefined) return renderQuestion(state.runId, question, checkpoint, here);
  const { text, whyNow, todo, options } = wordsForAll(question, all);
  const words = {
    text: todo === null ? text : `${text}\n${todo}`,
    whyNow: `${whyNow}: ${all.runs.join(' ')}`,
    options,
  };
  return renderQuestion(state.runId, { ...question, ...words }, checkpoint, here);
}

/** `here`: how it is answered where it is shown; null: by a command. */
export function renderQuestion(
  runId: string,
  question: Question,
  checkpoint: number | null,
  here: string | null = null,
): string {
  const { kind, text, whyNow, tried, evidence, options } = question;
  const recommended = recommendedOf(question);
  const lines = [
    `waiting    run ${runId} needs one decision from you`,
    '',
    ...indent(text),
    ...indent(`Why now: ${whyNow}`),
    ...(tried.length > 0 ? indent(`Tried: ${withTimes(tried).join('; ')}`) : []),
    ...evidence.flatMap((line) => indent(`  | ${line}`)),
    '',
    ...options.map(({ id: option, label, needsNote }, index) =>
      [
        `             ${index + 1}  ${readableQuotes(plain(label))}`,
        ...(needsNote === true ? [`(${needed(option, runId, here)})`] : []),
        ...(option === recommended ? ['(recommended)'] : []),
      ].join('  '),
    ),
    '',
    `           ${here ?? answerCall(question, recommended, 'number')}`,
    `           ${standing(kind, checkpoint)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function needed(option: string, runId: string, here: string | null): string {
  const words = here === null ? 'needs your words: --note' : 'needs your words';
  return option === 'rescue' ? `${words}; with files: mayday rescue ${runId}` : words;
}

function standing(kind: string, checkpoint: number | null): string {
  const work = kind === 'work_not_saved' ? 'the rest of the work' : 'the work';
  const saved = checkpoint === null ? '' : `${work} is safe at checkpoint ${checkpoint}; `;
  // The keeper stays and sees free disk space without an answer.
  if (kind === DISK_QUESTION) return `${saved}no agent runs; Mayday goes on looking for room`;
  return `${saved}nothing runs, nothing burns`;
}

function withTimes(tried: readonly string[]): readonly string[] {
  return [...new Set(tried)].map((each) => {
    const times = tried.filter((other) => other === each).length;
    return times === 1 ? each : `${times} times ${each}`;
  });
}

function indent(text: string): string[] {
  return readableQuotes(plain(text))
    .split('\n')
    .map((line) => `           ${line}`);
}
