/** `Evidence`: what stands behind a question: what was seen, lines of life, the last words of the agent, its files. */
import { tellingArgument } from '../../src/core/view/activity.ts';
import type { InboxQuestion } from '../../src/http/inbox-document.ts';
import type { TranscriptDocument } from '../../src/http/transcript-document.ts';
import { follow } from '../navigation/address.ts';
import { useDocument } from '../document.tsx';
import { now } from '../store.ts';
import { clockWithSeconds, ms } from '../time.ts';
import { LineOfLife } from '../views/line-of-life.tsx';

const LAST_ENTRIES = 6;
const MAX_CHARS = 160;
/** Entries that say nothing to a person who decides. */
const QUIET = ['usage', 'session'];

interface EvidenceShown {
  readonly question: InboxQuestion;
  /** When this person answered it. */
  readonly answeredAt: number | undefined;
}

export function Evidence({ question, answeredAt }: EvidenceShown) {
  const { evidence, run, held, files, changed } = question;
  const lines = held.length > 1 ? held : [run];
  const from = Math.min(...lines.map(({ created_at }) => ms(created_at) ?? now.value));
  const axis = { from, to: now.value, now: now.value, times: 0 };
  return (
    <aside class="evidence" aria-label="Evidence">
      <h3>Evidence</h3>
      {evidence.length === 0 ? (
        <p class="second">Nothing was written down besides the question itself.</p>
      ) : (
        <pre tabIndex={0}>{evidence.join('\n')}</pre>
      )}
      <h3>{lines.length > 1 ? `Lines of life of ${lines.length} runs` : 'Line of life'}</h3>
      {lines.map((line) => (
        <div key={line.run_id} class="life-of">
          {lines.length > 1 && <code>{line.run_id}</code>}
          <LineOfLife line={line} axis={axis} answeredAt={answeredAt} />
        </div>
      ))}
      <p class="second life-times">
        <span>{clockWithSeconds(from)}</span> <span>now</span>
      </p>
      {held.length < 2 && (
        <LastWords key={run.run_id} runId={run.run_id} attempt={run.attempts.at(-1)?.number ?? 1} />
      )}
      {files.length > 0 && (
        <>
          <h3>
            <a href={`/runs/${run.run_id}`} onClick={follow}>
              Work so far
            </a>
          </h3>
          <ul class="files">
            {files.map(({ path, how }) => (
              <li key={path}>
                <code>{path}</code> <span class="second">{how}</span>
              </li>
            ))}
            {changed > files.length && <li class="second">and {changed - files.length} more</li>}
          </ul>
        </>
      )}
    </aside>
  );
}

function LastWords({ runId, attempt }: { readonly runId: string; readonly attempt: number }) {
  const path = `/api/runs/${runId}/transcript?attempt=${attempt}&limit=${LAST_ENTRIES}`;
  const entries = (useDocument<TranscriptDocument>(path).value?.entries ?? []).filter(
    ({ type, text }) => !QUIET.includes(type) && text.trim() !== '',
  );
  if (entries.length === 0) return null;
  return (
    <>
      <h3>Last in the transcript</h3>
      <ol class="last-words">
        {entries.map(({ number, at, type, text, name, failed }) => (
          <li key={number} class={failed ? 'failed' : ''}>
            <a href={`/runs/${runId}?at=${ms(at)}`} onClick={follow}>
              {number}
            </a>
            <span>
              {name !== '' && <b>{name} </b>}
              {(type === 'tool_call' ? tellingArgument(text) : text).slice(0, MAX_CHARS)}
              {text.length > MAX_CHARS && '…'}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
