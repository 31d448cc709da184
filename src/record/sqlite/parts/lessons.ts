/** `lessons`: the lessons in SQLite, with a text index. */
import type { LessonRecord, StoredLesson } from '../../contract/lessons.ts';
import { madeHere, type Redacted, type RedactedText } from '../../redaction/redacted.ts';
import { queryWords } from '../../query-words.ts';
import { storable } from '../../storable.ts';
import type { Connection } from '../connection.ts';
import { lessonOf } from '../../stored-rows.ts';

const COLUMNS = 'repository, id, hash, origin, stamp, updated_at, title, guidance, words, document';
/** A word of the title tells more than one of the task words, and that more than one of the text. */
const RANK = 'bm25(lesson_text, 5.0, 1.0, 3.0)';
const DEFAULT_LIMIT = 20;

export function lessons(connection: Connection): LessonRecord {
  return {
    saveLessons: (all) =>
      connection.write(() => {
        for (const lesson of connection.redacted(all)) {
          remove(connection, lesson.repository, lesson.id);
          add(connection, lesson);
        }
      }),
    removeLessons: (repository, ids) =>
      connection.write(() => {
        for (const id of connection.redacted(ids)) remove(connection, connection.redacted(repository), id);
      }),
    lessons: ({ repository } = {}) =>
      connection.list(
        `SELECT ${COLUMNS} FROM lessons WHERE ?1 IS NULL OR repository = ?1 ORDER BY id, repository`,
        [connection.redacted(repository ?? null)],
        lessonOf,
      ),
    searchLessons: ({ text, repository, limit = DEFAULT_LIMIT }) =>
      connection.read(() => {
        const query = connection.redacted(ftsQuery(text));
        if (query === '') return [];
        return connection
          .statement(
            `SELECT l.repository, l.id, ${RANK} AS score FROM lesson_text JOIN lessons l ON l.lesson = lesson_text.rowid
             WHERE lesson_text MATCH ?1 AND (?2 IS NULL OR l.repository = ?2) ORDER BY score LIMIT ?3`,
          )
          .all(query, connection.redacted(repository ?? null), limit)
          .map((row) => ({
            repository: row['repository'] as string,
            id: row['id'] as string,
            score: -(row['score'] as number),
          }));
      }),
  };
}

function add(connection: Connection, lesson: Redacted<StoredLesson>): void {
  const { repository, id, hash, origin, stamp, updatedAt, title, guidance, words, document } = lesson;
  const { lastInsertRowid } = connection
    .statement(`INSERT INTO lessons (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(repository, id, hash, origin, stamp, updatedAt, title, guidance, words, storable(document));
  connection
    .statement('INSERT INTO lesson_text (rowid, title, guidance, words) VALUES (?, ?, ?, ?)')
    .run(lastInsertRowid, title, guidance, words);
}

/** The text index holds no copy of the text: deleting needs the old text. */
function remove(connection: Connection, repository: RedactedText, id: RedactedText): void {
  const old = connection
    .statement('SELECT lesson, title, guidance, words FROM lessons WHERE repository = ? AND id = ?')
    .get(repository, id);
  if (old === undefined) return;
  const { lesson, title, guidance, words } = old as Record<string, RedactedText>;
  connection
    .statement(
      `INSERT INTO lesson_text (lesson_text, rowid, title, guidance, words) VALUES ('delete', ?, ?, ?, ?)`,
    )
    .run(lesson ?? 0, title ?? madeHere(''), guidance ?? madeHere(''), words ?? madeHere(''));
  connection.statement('DELETE FROM lessons WHERE lesson = ?').run(lesson ?? 0);
}

/** Every word as a quoted prefix, any of them enough: no character of the query is an operator. */
function ftsQuery(text: string): string {
  return queryWords(text)
    .map((word) => `"${word}"${word.length > 2 ? '*' : ''}`)
    .join(' OR ');
}
