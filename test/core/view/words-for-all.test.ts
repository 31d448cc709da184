import { describe, expect, it } from 'vitest';
import { type AskedForAll, type RefusedLogin, wordsForAll } from '../../../src/core/view/words-for-all.ts';
import { FAILURE_CLASSES } from '../../../src/core/vocabulary/classes/failure-class.ts';
import type { ClassRule } from '../../../src/core/vocabulary/classes/class-rule.ts';

const ABOUT = {
  cause: 'x: the key is refused',
  said: 'the key is refused',
  withheld: [],
  deniedTools: [],
  budget: '',
  hasWorked: false,
};
const login = {
  agent: 'claude',
  account: 'work-2',
  tag: 'work',
  command: 'claude /login',
  keys: ['ANTHROPIC_API_KEY'],
  hosts: ['build-2'],
};

function loginWords(
  runs: readonly string[],
  asked: RefusedLogin = login,
  staying: AskedForAll['staying'] = [],
) {
  const rule: ClassRule = FAILURE_CLASSES.auth_failure;
  const question = typeof rule.question === 'function' ? rule.question(ABOUT) : rule.question;
  if ('asks' in question) throw new Error('a login has a question of its own');
  return wordsForAll(question, { asker: 'k7f2', runs, staying, login: asked });
}

describe('a question that one run asks for six', () => {
  const words = loginWords(['k7f2', 'c5tt', 'e0mb', 'n7ya', 'z6ju', 'a1c0']);
  const [retry] = words.options;

  it('asks for all of them, and speaks of no single run', () => {
    expect(words.text).toBe(
      'The login is refused: the key is refused. Log in again, then go on? One answer serves k7f2 and 5 held runs.',
    );
    expect(words.whyNow).toBe('k7f2 met it; the 5 held runs would meet it too, and you are asked once');
  });

  it('says who tries first, and what happens if that fails', () => {
    expect(retry?.label).toBe('I have logged in again: go on, k7f2 first, then the 5 held runs');
    expect(retry?.effect).toMatch(/^if k7f2 fails in the same way, the 5 held runs stay held/);
  });

  it('does not promise a start to a run that something else keeps', () => {
    const staying = [
      { run: 'c5tt', waits: ['the overload'] },
      { run: 'e0mb', waits: [] },
    ];
    const [told] = loginWords(['k7f2', 'c5tt', 'e0mb'], login, staying).options;
    expect(told?.effect).toMatch(
      /; c5tt still waits for the overload then; e0mb still waits for its own pause then$/,
    );
  });
});
