/** `mayday status RUN`: one screen about one run: what it does, what it waits for, its last lines. `runFacts`: what it does, in lines. */
import { existsSync } from 'node:fs';
import { transcriptPath } from '../../act/run-files.ts';
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { counted } from '../../core/text/counted.ts';
import { answerCall } from '../../core/vocabulary/questions/question.ts';
import { recommendedOf } from '../../core/vocabulary/questions/recommended.ts';
import { nextStep } from '../../core/view/next-step.ts';
import { runJson } from '../../core/view/run-json.ts';
import { limitsAhead, lineWord, whyLine } from '../../core/view/run-line.ts';
import { wordText } from '../../core/view/state-word.ts';
import { readTranscript } from '../../record/transcript/read-transcript.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Invocation } from '../command.ts';
import { printJson } from '../print.ts';
import { plainLine } from '../render/plain.ts';
import { progressWords, usageWords } from '../render/live-view.ts';
import { renderForAll } from '../render/question.ts';
import { clockTime, duration, localTime } from '../render/time.ts';
import { transcriptLine } from '../render/transcript-line.ts';
import { withRun } from '../with-record.ts';
import { writeText } from '../write-text.ts';

const LAST_LINES = 8;
const SHOWN_FILES = 8;
/** Where the output is no terminal. */
const WIDTH = 80;
const LABEL = 9;

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async ({ home, record }, runId) => {
    const { stdout, json } = invocation;
    const state = await loadState(record, runId);
    if (json) printJson(stdout, runJson(state));
    else {
      const question = openQuestion(state)?.question;
      const width = stdout.columns ?? WIDTH;
      const last = (await lastLines(home, state, LAST_LINES)).map((line) => plainLine(line, width));
      const lines = [...runFacts(state, Date.now()), ...(last.length === 0 ? [] : ['', ...last])];
      writeText(stdout, `${lines.join('\n')}\n`);
      if (question !== undefined) {
        const asked = await renderForAll(record, state, question);
        writeText(stdout, `\n${asked}`);
      }
    }
    return 0;
  });
}

export function runFacts(state: RunState, now: number): string[] {
  const { runId, task, attempts, partialWork, workspace } = state;
  const attempt = attempts.at(-1);
  const files = [...partialWork.created, ...partialWork.changed, ...partialWork.deleted];
  const age = duration(now - state.createdAt);
  const progress = progressWords(state, files.length > 0, now);
  const row = (label: string, text: string | null | undefined) =>
    text === null || text === undefined || text === ''
      ? []
      : [`${label.padEnd(LABEL)}${plainLine(text, Infinity)}`];
  return [
    plainLine(`${runId} ${wordText(lineWord(state))}: ${task.text}`, Infinity),
    // The question that stands below says why.
    ...row('why', openQuestion(state) === undefined ? whyLine(state) : null),
    ...row('agent', attempt === undefined ? null : `${attempt.agent.name} · attempt ${attempt.number}`),
    ...row('age', progress === null ? age : `${age} · ${progress}`),
    ...row('spent', usageWords(state).join(' · ')),
    ...row('changed', files.length === 0 ? null : `${counted(files.length, 'file')}: ${namesOf(files)}`),
    ...row('place', state.life.type === 'ended' ? null : workspace?.path),
    ...row('next', goesOnAt(state) ?? nextCommand(state)),
  ];
}

/** For a person: a question by the number of its option, and where to look while the agent works. */
function nextCommand(state: RunState): string | null {
  const question = openQuestion(state)?.question;
  if (question !== undefined) return answerCall(question, recommendedOf(question), 'number');
  return state.life.type === 'working'
    ? `mayday watch ${state.runId}, or mayday logs ${state.runId} --follow`
    : nextStep(state);
}

function goesOnAt(state: RunState): string | null {
  const limit = limitsAhead(state).find(({ kind }) => kind === 'goes_on');
  return limit !== undefined && 'until' in limit ? `goes on by itself at ${localTime(limit.until)}` : null;
}

function namesOf(files: readonly string[]): string {
  const more = files.length - SHOWN_FILES;
  return `${files.slice(0, SHOWN_FILES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export async function lastLines(
  home: string,
  { runId, attempts }: RunState,
  count: number,
): Promise<string[]> {
  const attempt = attempts.findLast(({ number }) => existsSync(transcriptPath(home, runId, number)));
  if (attempt === undefined) return [];
  const lines: string[] = [];
  for await (const { entry } of readTranscript(transcriptPath(home, runId, attempt.number), {
    type: 'last',
    count,
  }))
    lines.push(`${clockTime(entry.at)} ${transcriptLine(entry)}`);
  return lines;
}
