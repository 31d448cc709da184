import { describe, expect, it } from 'vitest';
import { contextPacket } from '../../src/context/context-packet.ts';
import { type Lesson, lessonHash } from '../../src/context/lesson.ts';
import { matchLessons, type Situation } from '../../src/context/match-lessons.ts';
import { aLesson } from './a-lesson.ts';

const START: Situation = {
  agent: 'claude',
  task: 'add passwordless login to src/auth/login.ts',
  paths: ['**'],
  commands: ['npm run lint && npm  test -- --quick'],
  incident: null,
  seen: new Set(['test_failure-1']),
};
const INCIDENT = {
  class: 'missing_dependency',
  fingerprint: 'missing_dependency-7',
  cause: 'left-pad is gone',
};

function matched(lessons: readonly Lesson[], situation: Situation): [string, string][] {
  return matchLessons(
    lessons.map((lesson) => ({ lesson, worth: 0 })),
    situation,
  ).map(({ item, match }) => [item.lesson.id, match]);
}

describe('lessons are matched', () => {
  const lessons = [
    aLesson({ id: 'cause', fingerprints: ['missing_dependency-7'] }),
    aLesson({ id: 'class', classes: ['missing_dependency'] }),
    aLesson({ id: 'other-cause', fingerprints: ['missing_dependency-8'], classes: ['missing_dependency'] }),
    aLesson({ id: 'here', paths: ['src/auth/**'] }),
    aLesson({ id: 'elsewhere', paths: ['docs/**'] }),
    aLesson({ id: 'command', commands: ['npm test'], classes: ['looping'] }),
    aLesson({ id: 'other-command', commands: ['npm t', 'quick', 'test'] }),
    aLesson({ id: 'agent', agents: ['claude'] }),
    aLesson({ id: 'other-agent', agents: ['codex'] }),
    aLesson({ id: 'words', words: ['passwordless login'] }),
    aLesson({ id: 'other-words', words: ['billing'] }),
    aLesson({ id: 'general' }),
  ];

  it('by the cause, the class, paths, the tool or command, the agent, words, and last the repository', () => {
    expect(matched(lessons, { ...START, incident: INCIDENT })).toEqual([
      ['cause', 'fingerprint'],
      ['class', 'class'],
      ['here', 'paths'],
      ['command', 'command'],
      ['agent', 'agent'],
      ['words', 'words'],
      ['general', 'repository'],
    ]);
  });

  it('at the start by causes that were seen in the repository, not by a class that was seen there', () => {
    const seen = [
      aLesson({ id: 'seen-cause', fingerprints: ['test_failure-1'] }),
      aLesson({ id: 'seen-class', classes: ['environment'] }),
      aLesson({ id: 'unseen-cause', fingerprints: ['test_failure-2'] }),
      aLesson({ id: 'unseen-class', classes: ['looping'] }),
    ];
    expect(matched(seen, START)).toEqual([['seen-cause', 'fingerprint']]);
  });

  it('by all that they are about: a class, a path, a command or a word that does not hold leaves the lesson out', () => {
    const both = { classes: ['missing_dependency'], words: ['login'] };
    const given = [
      aLesson({ id: 'holds', ...both }),
      aLesson({ id: 'other-words', ...both, words: ['billing'] }),
      aLesson({ id: 'other-paths', ...both, paths: ['docs/**'] }),
      aLesson({ id: 'other-command', ...both, commands: ['cargo build'] }),
      aLesson({ id: 'same-cause-elsewhere', fingerprints: ['missing_dependency-7'], paths: ['docs/**'] }),
      aLesson({ id: 'path-without-word', paths: ['src/auth/**'], words: ['billing'] }),
    ];
    expect(matched(given, { ...START, incident: INCIDENT })).toEqual([['holds', 'class']]);
    expect(matched(given, START)).toEqual([['holds', 'words']]);
  });

  it('by the cause of the incident rather than by one that was seen before', () => {
    const lesson = aLesson({ id: 'two-causes', fingerprints: ['test_failure-1', 'missing_dependency-7'] });
    const [match] = matchLessons([{ lesson, worth: 0 }], { ...START, incident: INCIDENT });
    expect(match?.why).toBe('the same cause as missing_dependency-7');
  });

  it('by a command with variables set before its program', () => {
    const lesson = aLesson({ id: 'command', commands: ['npm test'] });
    const called = (line: string) => matched([lesson], { ...START, commands: [line] });
    for (const line of ['CI=1 npm test', `make && A= B="x y" C='z' npm test -- --quick`])
      expect(called(line), line).toEqual([['command', 'command']]);
    for (const line of ['CI=npm test', 'X=1', 'echo CI=1 npm test']) expect(called(line), line).toEqual([]);
  });

  it('by overlapping scopes, not by others', () => {
    const scoped = { ...START, task: 'x', paths: ['src/auth/*.ts'] };
    expect(matched([lessons[3] as Lesson, lessons[4] as Lesson], scoped)).toEqual([['here', 'paths']]);
  });

  it('with the more useful one first among equals', () => {
    const items = ['b', 'a', 'c'].map((id, worth) => ({ lesson: aLesson({ id }), worth }));
    expect(matchLessons(items, START).map(({ item }) => item.lesson.id)).toEqual(['c', 'a', 'b']);
  });
});

describe('a context packet', () => {
  const approved = (lesson: Lesson) => ({ lesson, hash: lessonHash(lesson), approvedBy: 'ann', worth: 0 });

  it('keeps to its token budget and says what was left out', () => {
    const long = 'x'.repeat(1_200);
    const all = ['a', 'b', 'c'].map((id) => approved(aLesson({ id, guidance: long, words: ['login'] })));
    const { lessons, leftOut } = contextPacket(all, START);
    expect(lessons.map(({ id }) => id)).toEqual(['a']);
    expect(leftOut.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(lessons[0]?.source).toBe('lesson a, written by a person, approved by ann');
  });

  it('takes at most two that are only about the repository', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => approved(aLesson({ id })));
    expect(contextPacket(all, START).lessons).toHaveLength(2);
  });
});
