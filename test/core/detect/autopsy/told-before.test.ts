/** What the record tells elsewhere about a failure that repeats: a path, an explanation, a program that is not there, what was tried. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { ownHint } from '../../../../src/core/detect/autopsy/reasons/own-hint.ts';
import { callText } from '../../../../src/core/detect/detector.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { tellStory } from '../../../../src/report/autopsy/story.ts';
import { verdictJson } from '../../../../src/report/autopsy/verdict-json.ts';
import { call, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
function told(parts: readonly (Part | readonly Part[] | readonly (readonly Part[])[])[]) {
  const entries = transcript([{ say: 'Mend it.', role: 'person' }, ...(parts.flat(2) as Part[])]);
  const found = autopsy('x', entries, diagnose);
  const facts = { sessionId: null, model: null, usage: null, damagedLines: 0 };
  const story = tellStory({ title: 'Agent', entries, resumeCommand: null, facts } as never, found);
  return { found, story, cause: found.rootCause ?? '', next: found.next.startHere ?? '' };
}

describe('a file that is not found', () => {
  const red = failedCall('view pkg/ledger/rates.rb', 'File pkg/ledger/rates.rb not found', 'view');

  test('is told by the path under which a search showed it', () => {
    const search = call('find_file rates.rb', 'Found 1:\n/srv/bank/pkg/ledger/rates.rb', 'find_file');
    const { cause, next } = told([red, search, times(7, () => red)]);
    expect(cause).toContain('showed /srv/bank/pkg/ledger/rates.rb, and no such call was made with that');
    expect(next).toContain('cd /srv/bank/');
    expect(next).not.toContain('List the folder');
  });

  test('that nothing showed is not', () => {
    expect(told([times(8, () => red)]).next).toContain('List the folder');
  });
});

describe('a program that cannot be started', () => {
  const red = (home: string) =>
    failedCall(`ERL_HOME=${home} ./build`, `Error: ERL_HOME is wrong.\nWe cannot execute ${home}/bin/erl`);

  test('is not installed where searches and installing failed, and the next step does not ask for them again', () => {
    const { cause, next, found } = told([
      red('/opt/erlang'),
      call('which erl', ''),
      failedCall('sudo apt-get install erlang', 'bash: sudo: command not found'),
      times(6, () => red('/usr/lib/erlang')),
    ]);
    expect(cause).toContain('erl is not found');
    expect(cause).toContain('ERL_HOME=/opt/erlang, ERL_HOME=/usr/lib/erlang did not help');
    expect(cause).toContain('`which erl`');
    expect(cause).toContain('`sudo apt-get install erlang` failed: bash: sudo: command not found');
    expect(next).toContain('Do not call erl or look for it again');
    expect(found.class).toBe('missing_dependency');
  });

  test('is only set wrongly where a search finds it', () => {
    const { cause } = told([
      red('/opt/erlang'),
      call('which erl', '/usr/bin/erl'),
      times(6, () => red('/x')),
    ]);
    expect(cause).not.toContain('not installed');
  });
});

describe('changes that fail alike', () => {
  const fix = (line: string) =>
    failedCall(
      `{'name': 'write_fix', 'args': {'file_name': 'Tax.java', 'line_number': 31, 'modified_line': '${line}'}}`,
      'AssertionFailedError\n\tat TaxTest.rounds(TaxTest.java:12)',
      'write_fix',
    );

  test('are told by how many differ without their comments, and by the line that stood there before', () => {
    const { cause, story } = told([
      call(
        "{'path': 'Tax.java'}",
        'Line 30:    int net = 5;\nLine 31:    int tax = rate(net);',
        'read_range',
      ),
      times(4, (n) => [fix(`int tax = rate(net); // try ${n}`), fix(`int tax = rate(net + 1); // try ${n}`)]),
    ]);
    expect(cause).toContain('8 changes failed alike, 2 different ones but for comments');
    expect(cause).toContain('`int tax = rate(net + 1);` (4 times)');
    expect(cause).toContain('line 31 was `int tax = rate(net);` when it was shown');
    expect(story.timeline.flat().join('\n')).not.toMatch(/\{'|'args'/);
  });

  test('are told by what is in all of them', () => {
    const { next } = told([times(4, (n) => [fix(`flush(out); int tax = ${n};`), fix('flush(out);  ')])]);
    expect(next).not.toContain('undefined');
    const shared = told([times(6, (n) => fix(`open(in);\\n round the ${'abcdef'[n]} tax\\n close(in) now`))]);
    expect(shared.cause).toContain('`close(in) now` is in all of them');
  });
});

describe('what the program itself advises', () => {
  test('is told whole where a line end cuts it', () => {
    const output = 'fatal: no key\nPlease set the key in the\nfile of the account.';
    expect(ownHint([output, output])).toContain('Please set the key in the file of the account.');
  });

  test('is told as done where a call followed it', () => {
    const red = failedCall(
      'cap deploy',
      'rejected: stale lease\nhint: run `cap lease --renew` before you deploy',
    );
    const { next } = told([red, call('cap lease --renew', 'renewed'), times(7, () => red)]);
    expect(next).toContain('That was done (`cap lease --renew`) and did not help.');
    expect(told([times(8, () => red)]).next).not.toContain('That was done');
  });
});

test('a click that leaves the page as it is has no effect, and did not fail', () => {
  const page = 'Here is a screenshot of [Search](https://example.org/find). '.repeat(6);
  const { found, story } = told([
    call("I typed 'tide tables'.", page, 'browser'),
    times(6, (n) => call("I clicked 'Open'.", `${page}${'abcdef'[n]} is shown`.repeat(2), 'browser')),
    { say: 'Max time (900s) reached.' },
  ]);
  expect(found.endedBy).toBe('limit');
  expect(found.rootCause).toContain('stayed on the same page each time');
  expect(found.next.startHere).toContain('does not lead away from this page');
  expect(story.summary).not.toContain('failed');
});

test('a last message that is a traceback ends the run by an error, named by its last line', () => {
  const crash =
    'Traceback (most recent call last):\n  File "run.py", line 3\nValueError: no model of that name';
  const { found } = told([call('ls', 'a'), { say: `Error processing message\n${crash}` }]);
  expect(found.endedBy).toBe('error');
  expect(found.rootCause).toContain('no model of that name');
});

test('the next step is the same in words and in JSON', () => {
  const { found, story } = told([
    times(3, () => failedCall('gh api /x', 'HTTP 500')),
    { say: 'I could not do it.' },
  ]);
  const next = story.facts.find(([label]) => label === 'Next')?.[1];
  expect(next).toBeDefined();
  expect(verdictJson(found).next.start_here).toBe(next);
});

test('a call is told by the texts of its arguments', () => {
  const { found } = told([
    call('{"query": "late \\"fee\\"", "limit": 3}', 'ok', 'lookup'),
    call('{ ls; }', 'a'),
  ]);
  expect(found.turns.map((turn) => callText(turn))).toEqual(['lookup late "fee"', '{ ls; }']);
});
