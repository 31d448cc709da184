/** `lostHistory`, `resumes`: what the model server was told before a resume and is not told any more after it, by a real CLI. */
import type { RunJson } from '../src/core/view/run-json.ts';
import type { RecordedRequest } from '../tools/model-server/model-server.ts';
import type { Utterance } from '../tools/model-server/request-facts.ts';

type Conversation = Pick<RecordedRequest, 'utterances'>;

/** Answers, calls and results, in their order. What a person says is left out: CLIs add reminders to it, and take them away again. */
export function lostHistory(before: Conversation, after: Conversation): readonly string[] {
  const told = after.utterances.filter(isWork).map(plain);
  let next = 0;
  return before.utterances
    .filter(isWork)
    .map(plain)
    .filter((text) => {
      const found = told.indexOf(text, next);
      if (found >= 0) next = found + 1;
      return found < 0;
    });
}

type Attempt = Pick<RunJson['attempts'][number], 'started_at' | 'agent_session'>;

/** The first request of each attempt that goes on in the session of the one before, beside the last request before it. */
export function resumes(
  requests: readonly RecordedRequest[],
  attempts: readonly Attempt[],
): readonly (readonly [before: RecordedRequest, after: RecordedRequest])[] {
  const talk = requests.filter(({ rule }) => rule !== 'title');
  return attempts.flatMap(({ started_at, agent_session }, index) => {
    if (agent_session === null || attempts[index - 1]?.agent_session !== agent_session) return [];
    const start = Date.parse(started_at ?? '');
    const before = talk.findLast(({ at }) => at < start);
    const after = talk.find(({ at }) => at >= start);
    return before === undefined || after === undefined ? [] : [[before, after] as const];
  });
}

function isWork({ by }: Utterance): boolean {
  return by !== 'person';
}

function plain({ by, text }: Utterance): string {
  return `${by}: ${text.replaceAll(/\s+/g, ' ').trim()}`;
}
