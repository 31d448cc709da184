/** `Lessons`: what was learned, those that wait for a decision first; a person approves, rejects or retires. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LessonRow } from '../../src/report/lesson-rows.ts';
import { say } from '../api.ts';
import { Spoken, Told, useDocument } from '../document.tsx';
import { useFocus } from '../navigation/focus.ts';
import { KeyHints } from '../navigation/hints.tsx';
import { RunLink } from './holds.tsx';
import { NoteField } from '../inbox/note-field.tsx';
import { useKeys } from '../navigation/keys.ts';
import { countToDecide, isOwner, show } from '../store.ts';

type Lesson = LessonRow & { readonly repository: string; readonly guidance: string };

const SECTIONS: readonly (readonly [title: string, isIn: (status: string) => boolean])[] = [
  ['To decide', (status) => status === 'proposed'],
  ['In use', (status) => status === 'approved'],
  ['No longer in use', (status) => status !== 'proposed' && status !== 'approved'],
];

export function Lessons() {
  const { value, again } = useDocument<{ lessons: Lesson[] }>('/api/lessons');
  const rejecting = useSignal<Lesson | null>(null);
  const note = useSignal('');
  const lessons = (value?.lessons ?? []).toSorted((a, b) => sectionOf(a) - sectionOf(b));
  const current = useFocus(lessons, ({ id }) => id, '/lessons?lesson=');
  const mayDecide = isOwner.value;
  const decide = async (lesson: Lesson, verb: 'approve' | 'reject', why: string) => {
    const { id, repository } = lesson;
    await say('POST', `/api/lessons/${id}/${verb}`, { repository, note: why }).catch(show);
    rejecting.value = null;
    note.value = '';
    again();
    countToDecide().catch(show);
  };
  const approve = (lesson: Lesson | undefined) => {
    if (lesson !== undefined && mayDecide && lesson.status !== 'approved') void decide(lesson, 'approve', '');
  };
  const reject = (lesson: Lesson | undefined) => {
    if (lesson !== undefined && mayDecide && isOpen(lesson)) rejecting.value = lesson;
  };
  useKeys({ y: () => approve(current), x: () => reject(current) });
  useEffect(() => {
    document.title = 'Lessons - Mayday';
  });
  if (value === null) return <main class="page" aria-busy="true" />;
  if (lessons.length === 0)
    return (
      <main class="page empty">
        <h1>No lessons yet</h1>
        <p>A rescue proposes what the next run should know. You approve it here; then briefs carry it.</p>
        <pre>mayday context add --title "start MinIO first" --guidance "docker compose up -d minio"</pre>
      </main>
    );
  return (
    <main class="page">
      <header class="heading">
        <h1>Lessons</h1>
        <p class="second">what earlier runs learned; agents are told those that you approve</p>
      </header>
      {SECTIONS.map(([title, isIn]) => ({ title, shown: lessons.filter(({ status }) => isIn(status)) }))
        .filter(({ shown }) => shown.length > 0)
        .map(({ title, shown }) => (
          <section key={title}>
            <h2 class="section">
              {title} <span class="second">{shown.length}</span>
            </h2>
            <ul class="sheet">
              {shown.map((lesson) => (
                <li
                  key={`${lesson.repository} ${lesson.id}`}
                  class={lesson === current ? 'focus' : ''}
                  aria-current={lesson === current}
                >
                  <div class="line">
                    <span class={`state ${lesson.status === 'approved' ? 'proven' : 'quiet'}`}>
                      {lesson.status}
                    </span>
                    <b>{lesson.title}</b>
                    <code class="third">{lesson.id}</code>
                  </div>
                  <Guidance text={lesson.guidance} commands={lesson.commands} status={lesson.status} />
                  {!(lesson.applies_told && lesson.status === 'proposed') && (
                    <p class="second">
                      {!lesson.applies_told && <Spoken text={lesson.applies} />}{' '}
                      {lesson.status !== 'proposed' && lesson.became}
                    </p>
                  )}
                  <p class="second">
                    {lesson.status !== 'proposed' && (
                      <>
                        <Told text={lesson.because} />
                        {' · '}
                      </>
                    )}
                    {lesson.learned.run === null ? (
                      lesson.origin
                    ) : (
                      <>
                        learned in <RunLink id={lesson.learned.run} />
                      </>
                    )}
                    {' · '}
                    <span title={lesson.repository}>project {placeName(lesson.repository)}</span>
                  </p>
                  {isOpen(lesson) && (
                    <div class="acts">
                      {lesson.status !== 'approved' && (
                        <button
                          type="button"
                          class="button"
                          disabled={!mayDecide}
                          onClick={() => approve(lesson)}
                        >
                          Approve {lesson === current && <kbd>y</kbd>}
                        </button>
                      )}
                      <button
                        type="button"
                        class="button"
                        disabled={!mayDecide}
                        onClick={() => reject(lesson)}
                      >
                        {lesson.status === 'approved' ? 'Retire' : 'Reject'}{' '}
                        {lesson === current && <kbd>x</kbd>}
                      </button>
                    </div>
                  )}
                  {rejecting.value?.id === lesson.id && (
                    <NoteField
                      text={note}
                      option={lesson.status === 'approved' ? 'Retire' : 'Reject'}
                      onSend={() => void decide(lesson, 'reject', note.value)}
                      onLeave={() => (rejecting.value = null)}
                    />
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      <KeyHints
        hints={[
          ['j k', 'move'],
          ['y', 'approve'],
          ['x', 'reject or retire'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

function sectionOf({ status }: Lesson): number {
  return SECTIONS.findIndex(([, isIn]) => isIn(status));
}

/** A line that begins with what it tells, such as `Proof:`. */
const LABELLED = /^([A-Z][a-z]+(?: [a-z]+){0,2}): (.+)$/;

interface GuidanceShown {
  readonly text: string;
  readonly commands: readonly string[];
  readonly status: string;
}

function Guidance({ text, commands, status }: GuidanceShown) {
  const heading =
    status === 'approved'
      ? 'Agents are told'
      : status === 'proposed'
        ? 'Agents would be told'
        : 'Agents are no longer told';
  return (
    <section class="guidance" aria-label={heading}>
      <h3>{heading}</h3>
      {text.split('\n').map((line, at) => {
        const [, label = '', rest = line] = LABELLED.exec(line) ?? [];
        return (
          <p key={at} class={label === '' ? '' : 'labelled'}>
            {label !== '' && <b>{label}</b>}
            <span>
              <Spoken text={rest} machine={commands} isLesson />
            </span>
          </p>
        );
      })}
    </section>
  );
}

/** The folder: where it lies on this machine says nothing to a reader. */
function placeName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}

function isOpen({ status }: Lesson): boolean {
  return status === 'proposed' || status === 'approved';
}
