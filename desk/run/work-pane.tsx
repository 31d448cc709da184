/** `WorkPane`: the diff up to the checkpoint at the cursor, from the base or from the checkpoint before; a person comments its files. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask, say } from '../api.ts';
import { commentsOn, setComments } from './comments.ts';
import { NoteField } from '../inbox/note-field.tsx';
import { useKeys } from '../navigation/keys.ts';
import { mayAct, show } from '../store.ts';

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
  /** What stands before a line: its number in the file that it is of; null for what is no line of a file. */
  readonly shown: readonly (number | null)[];
}

const MAX_LINES = 400;

export interface WorkShown {
  readonly runId: string;
  /** 0: nothing is saved yet at the cursor. */
  readonly checkpoint: number;
  readonly before: number;
  /** The checkpoint can be brought back, and the work is not there already. */
  readonly mayRestore: boolean;
}

export function WorkPane({ runId, checkpoint, before, mayRestore }: WorkShown) {
  const diff = useSignal<Diff | null>(null);
  const onlyLast = useSignal(false);
  /** The checkpoint that was asked for once. */
  const restoring = useSignal(0);
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
    if (where !== undefined && mayAct.value) place.value = where;
  };
  const keep = () => {
    if (words.value.trim() !== '') setComments(runId, [...said, `${place.value}: ${words.value.trim()}`]);
    words.value = '';
    leave();
  };
  const restore = () => {
    const isSure = restoring.value === checkpoint;
    restoring.value = isSure ? 0 : checkpoint;
    if (isSure) say('POST', `/api/runs/${runId}/restore`, { checkpoint }).catch(show);
  };
  const list = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1) => {
    const lines = [...(list.current?.querySelectorAll<HTMLElement>('details[open] [data-place]') ?? [])];
    const at = lines.findIndex((line) => line === document.activeElement);
    lines[at === -1 ? 0 : at + by]?.focus();
  };
  const inFocus = () => (document.activeElement as HTMLElement | null)?.dataset['place'];
  const leave = () => {
    const line = list.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place.value ?? '')}"]`);
    place.value = null;
    (line ?? list.current)?.focus();
  };
  useKeys({
    m: () => comment(inFocus() ?? files[0]?.path),
    j: () => step(1),
    k: () => step(-1),
  });
  return (
    <section class="pane work" aria-label="Work so far">
      <header>
        <h2>Work so far</h2>
        <span class="second">
          {checkpoint === 0
            ? 'nothing saved yet'
            : `${from === 0 ? 'up' : `from ${from}`} to checkpoint ${checkpoint}`}
        </span>
        <button
          type="button"
          aria-pressed={onlyLast.value}
          title="only what changed since the checkpoint before"
          onClick={() => (onlyLast.value = !onlyLast.value)}
        >
          last step only
        </button>
        {checkpoint > 0 && mayRestore && mayAct.value && (
          <button
            type="button"
            title={`checkpoint ${checkpoint} comes back into the workspace; what is there now is saved first`}
            onClick={restore}
          >
            {restoring.value === checkpoint
              ? 'sure? the work is saved first'
              : `back to checkpoint ${checkpoint}`}
          </button>
        )}
      </header>
      {place.value !== null && (
        <NoteField text={words} option={place.value} verb="Keep" onSend={keep} onLeave={leave} />
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
          <li class="second">
            They go with your next answer to this run: its agent reads them before it goes on.
          </li>
        </ul>
      )}
      <div
        class="files"
        role="group"
        tabIndex={0}
        ref={list}
        aria-label="Changed files; j and k move by line, m comments it"
      >
        {files.map((file) => (
          <details key={file.path} open={files.length < 12}>
            <summary>
              <code>{file.path}</code> <span class="added">+{file.added}</span>{' '}
              {file.removed > 0 && <span class="removed">-{file.removed}</span>}
            </summary>
            <pre>
              {file.lines.slice(0, MAX_LINES).map((line, index) => (
                <span
                  key={index}
                  tabIndex={-1}
                  data-place={`${file.path}:${file.numbers[index]}`}
                  data-line={file.shown[index] ?? ''}
                  onClick={() => comment(`${file.path}:${file.numbers[index]}`)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter') return;
                    event.preventDefault();
                    comment(inFocus());
                  }}
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
                  <span class="sign">{line.startsWith('@@') ? '' : line.slice(0, 1)}</span>
                  <span class="code">{line.startsWith('@@') ? line : line.slice(1)}</span>
                </span>
              ))}
              {file.lines.length > MAX_LINES && (
                <span class="hunk" data-line="">
                  <span class="sign" />
                  <span class="code">
                    {file.lines.length - MAX_LINES} more lines: mayday diff {runId}
                  </span>
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
        ...numbersOf(lines),
      };
    });
}

function numbersOf(lines: readonly string[]): Pick<FileDiff, 'numbers' | 'shown'> {
  let [before, after] = [0, 0];
  const numbers: number[] = [];
  const shown: (number | null)[] = [];
  for (const line of lines) {
    const begins = /^@@ -(\d+)\S* \+(\d+)/.exec(line);
    if (begins !== null) [before, after] = [Number(begins[1]), Number(begins[2])];
    const isCode = begins === null && /^[ +-]/.test(line);
    numbers.push(after);
    shown.push(!isCode ? null : line.startsWith('-') ? before : after);
    if (isCode && !line.startsWith('+')) before += 1;
    if (isCode && !line.startsWith('-')) after += 1;
  }
  return { numbers, shown };
}
