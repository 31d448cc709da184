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
  const [retry, abandon] = words.options;

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

  it('does not promise that stopping stops them all: a hold ends with its holder', () => {
    expect(abandon?.label).toBe('stop k7f2 alone and keep its work');
    expect(abandon?.effect).toContain('the 5 held runs go on');
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

  it('has the command that renews the login apart, to be copied', () => {
    expect(words.command).toBe('claude /login');
  });

  it('names the account, the command that renews the login, and where to type it', () => {
    expect(words.todo).toBe(
      'Renew the login of claude (account work-2) with `claude /login` on host build-2, as the user of these runs. ' +
        'Then answer here; k7f2 tries first.',
    );
  });

  it('says what to do where no command is known that renews the login', () => {
    const unknown = {
      agent: 'mycli',
      account: null,
      tag: 'f6d9',
      command: null,
      keys: [],
      hosts: ['build-2'],
    };
    const { todo, command } = loginWords(['k7f2', 'c5tt'], unknown);
    expect(command).toBeNull();
    expect(todo).toBe(
      'Mayday knows no command that renews the login of mycli (an account without a name, f6d9). Renew it as you first set it up ' +
        'on host build-2, as the user of these runs: by its own login command, or by a new key in the variable or file that it reads. ' +
        'Start mycli once by hand to see that it works. Then answer here; k7f2 tries first. ' +
        'If you cannot renew it, stop k7f2: the next run asks.',
    );
  });

  it('says why agents that already work are not stopped, for a login alone', () => {
    expect(words.spared).toBe(
      'Agents that already work go on, because their own calls have not been refused; ' +
        'a run is held only when it is refused itself or has to start an agent',
    );
    const other = { asker: 'k7f2', runs: ['k7f2', 'c5tt'], staying: [], login: null };
    expect(wordsForAll({ text: 'x?', options: [] }, other).spared).toBeNull();
  });

  it('names the keys of an agent that has no such command, and the tag of an account without a name', () => {
    const key = {
      agent: 'gemini',
      account: null,
      tag: 'f6d9',
      command: null,
      keys: ['GEMINI_API_KEY'],
      hosts: ['a', 'b'],
    };
    expect(loginWords(['k7f2', 'c5tt'], key).todo).toContain(
      'gemini (an account without a name, f6d9) with a valid key in `GEMINI_API_KEY` on the hosts a, b,',
    );
  });
});
