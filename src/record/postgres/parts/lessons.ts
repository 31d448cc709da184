/** `lessons`: the lessons in PostgreSQL, with its text search. */
import type { LessonRecord, StoredLesson } from '../../contract/lessons.ts';
import { queryWords } from '../../query-words.ts';
import type { Redacted } from '../../redaction/redacted.ts';
import { storable } from '../../storable.ts';
import type { Query, Connection } from '../connection.ts';
import { lessonOf } from '../../stored-rows.ts';

const COLUMNS = 'repository, id, hash, origin, stamp, updated_at, title, guidance, words, document';
const CHANGING = COLUMNS.split(', ').slice(2);
/** Of guidance, nothing, task words, title: a word of the title tells more than one of the task words, that one more than the text's. */
const WEIGHTS = `'{0.2, 0, 0.6, 1}'`;
const DEFAULT_LIMIT = 20;

export function lessons(connection: Connection): LessonRecord {
  return {
    saveLessons: async (all) => {
      const given = connection.redacted(all);
      await connection.transaction(async (ask) => {
        for (const lesson of given) await save(ask, lesson);
      });
    },
    removeLessons: async (repository, ids) => {
      await connection.write('DELETE FROM lessons WHERE repository = $1 AND id = ANY ($2)', [
        connection.redacted(repository),
        connection.redacted(ids),
      ]);
    },
    lessons: ({ repository } = {}) =>
      connection.list(
        `SELECT ${COLUMNS} FROM lessons WHERE $1::text IS NULL OR repository = $1 ORDER BY id, repository`,
        [connection.redacted(repository ?? null)],
        lessonOf,
      ),
    searchLessons: async ({ text, repository, limit = DEFAULT_LIMIT }) => {
      // Every word as a prefix, any of them enough.
      const query = connection.redacted(
        queryWords(text)
          .map((word) => `${word}${word.length > 2 ? ':*' : ''}`)
          .join(' | '),
      );
      if (query === '') return [];
      const found = await connection.read(
        `SELECT repository, id, ts_rank(${WEIGHTS}, found_by, query) AS score FROM lessons, to_tsquery('english', $1) AS query
         WHERE found_by @@ query AND ($2::text IS NULL OR repository = $2) ORDER BY score DESC, id, repository LIMIT $3`,
        [query, connection.redacted(repository ?? null), limit],
      );
      return found.map((row) => ({
        repository: row['repository'] as string,
        id: row['id'] as string,
        score: row['score'] as number,
      }));
    },
  };
}

async function save(ask: Query, lesson: Redacted<StoredLesson>): Promise<void> {
  const { repository, id, hash, origin, stamp, updatedAt, title, guidance, words, document } = lesson;
  await ask(
    `INSERT INTO lessons (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (repository, id) DO UPDATE SET ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [repository, id, hash, origin, stamp, updatedAt, title, guidance, words, storable(document)],
  );
}
