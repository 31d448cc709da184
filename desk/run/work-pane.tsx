/** `WorkPane`: the diff up to the checkpoint at the cursor, from the base or from the checkpoint before; a person comments its files. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../api.ts';
import { commentsOn, setComments } from './comments.ts';
import { NoteField } from '../views/inbox.tsx';
import { useKeys } from '../navigation/keys.ts';
import { person, show } from '../store.ts';

interface Diff {
  readonly from: number;
  readonly to: number;
  readonly patch: string;
  readonly cut: boolean;
}

interface FileDiff {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly string[];
  /** Of each line, in the file after the change. */
  readonly numbers: readonly number[];
}

const MAX_LINES = 400;

export interface WorkShown {
  readonly runId: string;
  /** 0: nothing is saved yet at the cursor. */
  readonly checkpoint: number;
  readonly before: number;
}

export function WorkPane({ runId, checkpoint, before }: WorkShown) {
  const diff = useSignal<Diff | null>(null);
  const onlyLast = useSignal(false);
  /** The place that is being commented: a file, or a line of it. */
  const place = useSignal<string | null>(null);
  const words = useSignal('');
  const said = commentsOn(runId);
  const from = onlyLast.value ? before : 0;
  useEffect(() => {
    if (checkpoint === 0) return;
    const timer = setTimeout(() => {
      ask<Diff>(`/api/runs/${runId}/diff?from=${from}&to=${checkpoint}`)
        .then((read) => (diff.value = read))
        .catch(show);
    }, 120);
    return () => clearTimeout(timer);
  }, [runId, checkpoint, from]);
  const files = checkpoint === 0 ? [] : filesOf(diff.value?.patch ?? '');
  const comment = (where: string | undefined) => {
    if (where !== undefined && person.value.role === 'operator') place.value = where;
  };
  const keep = () => {
    if (words.value.trim() !== '') setComments(runId, [...said, `${place.value}: ${words.value.trim()}`]);
    words.value = '';
    place.value = null;
  };
  useKeys({ m: () => comment(files[0]?.path) });
  return (
    <section class="pane work" aria-label="Work so far">
      <header>
        <h2>Work so far</h2>
        <span class="second">
          {checkpoint === 0
            ? 'nothing saved yet'
            : `${from === 0 ? 'base' : `checkpoint ${from}`} to checkpoint ${checkpoint}`}
        </span>
        <button
          type="button"
          aria-pressed={onlyLast.value}
          onClick={() => (onlyLast.value = !onlyLast.value)}
        >
          only the last step
        </button>
      </header>
      {place.value !== null && (
        <NoteField
          text={words}
          option={place.value}
          verb="Keep"
          onSend={keep}
          onLeave={() => (place.value = null)}
        />
      )}
      {said.length > 0 && (
        <ul class="said" aria-label="Your comments">
          {said.map((text, index) => (
            <li key={text}>
              {text}{' '}
              <button
                type="button"
                onClick={() =>
                  setComments(
                    runId,
                    said.filter((_, other) => other !== index),
                  )
                }
              >
                take back
              </button>
            </li>
          ))}
          <li class="second">They go with your next answer to this run, into the brief of its agent.</li>
        </ul>
      )}
      <div class="files" tabIndex={0}>
        {files.map((file) => (
          <details key={file.path} open={files.length < 12}>
            <summary>
              <code>{file.path}</code> <span class="added">+{file.added}</span>{' '}
              <span class="removed">-{file.removed}</span>
            </summary>
            <pre>
              {file.lines.slice(0, MAX_LINES).map((line, index) => (
                <span
                  key={index}
                  onClick={() => comment(`${file.path}:${file.numbers[index]}`)}
                  class={
                    line.startsWith('+')
                      ? 'add'
                      : line.startsWith('-')
                        ? 'del'
                        : line.startsWith('@@')
                          ? 'hunk'
                          : ''
                  }
                >
                  {line === '' ? ' ' : line}
                </span>
              ))}
              {file.lines.length > MAX_LINES && (
                <span class="hunk">
                  {file.lines.length - MAX_LINES} more lines: mayday diff {runId}
                </span>
              )}
            </pre>
          </details>
        ))}
        {files.length === 0 && <p class="second none">No file was changed up to here.</p>}
        {diff.value?.cut === true && (
          <p class="second none">The rest is too large for a page: mayday diff {runId}</p>
        )}
      </div>
    </section>
  );
}

export function filesOf(patch: string): readonly FileDiff[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const all = part.split('\n');
      const path =
        /^\+\+\+ "?b\/(.*?)"?$/m.exec(part)?.[1] ??
        /^--- "?a\/(.*?)"?$/m.exec(part)?.[1] ??
        all[0]?.slice(11) ??
        '';
      const first = all.findIndex((line) => line.startsWith('@@'));
      const lines =
        first === -1
          ? ['(not shown as text)']
          : all.slice(first).filter((line, index, list) => index < list.length - 1 || line !== '');
      return {
        path,
        added: lines.filter((line) => line.startsWith('+')).length,
        removed: lines.filter((line) => line.startsWith('-')).length,
        lines,
        numbers: numbersOf(lines),
      };
    });
}

function numbersOf(lines: readonly string[]): readonly number[] {
  let next = 0;
  return lines.map((line) => {
    const begins = /^@@ -\S+ \+(\d+)/.exec(line)?.[1];
    if (begins !== undefined) return (next = Number(begins));
    return line.startsWith('-') ? next : next++;
  });
}
