/** The keys of holds: whom a cause concerns, and whom it does not. */
import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import {
  causeKey,
  diskKey,
  FLEET_KEY,
  keysOf,
  networkKey,
  sharedCauseOf,
} from '../../../src/core/fleet/concerns.ts';
import { isLocal } from '../../../src/core/fleet/outage-endpoint.ts';
import type { Attempt, Incident, RunState } from '../../../src/core/state/run-state.ts';
import { Story } from '../story.ts';

const PLACE = { host: 'laptop', account: 'a1' };
const crashed = new Story().prepared().started().ended().state;
const [incident] = crashed.incidents as [Incident];

function metBy(change: {
  incident?: Partial<Incident>;
  attempt?: Partial<Attempt>;
  run?: Partial<RunState>;
}) {
  const attempts = crashed.attempts.map((attempt) => ({ ...attempt, ...change.attempt }));
  return sharedCauseOf({ ...crashed, attempts, ...change.run }, { ...incident, ...change.incident });
}

describe('the cause that runs share', () => {
  it('is named by its class, the agent and what was seen', () => {
    expect(metBy({})).toBe('cause:crashed:rehearsal:rehearsal ended with exit code 1');
  });

  it.each<[string, Parameters<typeof metBy>[0]]>([
    ['not yet diagnosed', { incident: { diagnosis: null } }],
    ['of a class that is a run’s own', { incident: { class: 'test_failure' } }],
    ['the loss of a host', { attempt: { endedBy: 'host' } }],
  ])('is none if it is %s', (_, change) => {
    expect(metBy(change)).toBeNull();
  });

  it('is read from the attempt that met it, not from the one that runs now', () => {
    const later = [
      ...crashed.attempts,
      { ...(crashed.attempts[0] as Attempt), number: 2, endedBy: 'host' as const },
    ];
    for (const attempts of [later, later.toReversed()]) expect(metBy({ run: { attempts } })).toBe(metBy({}));
  });

  it('of a run without that attempt is told by the agent of the run', () => {
    const agent = { name: 'codex', command: [], model: null };
    expect(metBy({ run: { attempts: [], agent } })).toContain('cause:crashed:codex:');
  });

  const command = (line: string) => ({
    agent: { name: 'command', command: ['sh', '-c', line], model: null },
  });
  const read = { ...observedDiagnosis('crashed', 'said', []), origin: 'read' as const, fingerprint: 'f1' };

  it('of a plain command holds for the same command line, of which the first hundred characters count', () => {
    const long = 'x'.repeat(200);
    expect(metBy({ attempt: command('make') })).toContain(':sh -c make:');
    expect(metBy({ attempt: command(`${long}a`) })).toBe(metBy({ attempt: command(`${long}b`) }));
    expect(metBy({ attempt: command(`${long}a`) })).toContain(`:sh -c ${'x'.repeat(94)}:`);
  });

  it('that the output names does not depend on the command line', () => {
    const met = { incident: { diagnosis: read }, attempt: command('make') };
    expect(metBy(met)).toBe('cause:crashed:command:f1');
  });

  it('that names a path is told by its words, not by its fingerprint', () => {
    const denied = {
      class: 'permission_denied' as const,
      diagnosis: { ...read, rootCause: '/srv/a is denied' },
    };
    expect(metBy({ incident: denied })).toBe('cause:permission_denied:rehearsal:/srv/a is denied');
  });

  it('is the same for a missing module only in one repository', () => {
    const met = (repository: string) =>
      metBy({ incident: { class: 'missing_dependency', diagnosis: read }, run: { repository } });
    expect(met('/a')).not.toBe(met('/b'));
    expect(met(`${'/x'.repeat(100)}/repo`)).toBe(met(`/y${'/x'.repeat(100)}/repo`));
    expect(met('/a')).toContain(':/a:');
  });

  it('is at most as long as a key may be', () => {
    const diagnosis = { ...read, origin: 'observed' as const, rootCause: 'y'.repeat(999) };
    expect(metBy({ incident: { diagnosis } })).toHaveLength(300);
  });
});

describe('a lesson that was not tried yet', () => {
  const lesson = {
    id: 'l1',
    hash: 'h',
    title: '',
    guidance: '',
    source: 'r0',
    match: 'class',
    why: '',
    fingerprints: [],
    classes: ['crashed'],
  } as const;
  const shown = { id: 'l1', hash: 'h', match: 'class' } as const;
  const cause = (attempt: Partial<Attempt>) =>
    causeKey({
      ...crashed,
      lessons: [lesson],
      attempts: [...crashed.attempts, { ...(crashed.attempts[0] as Attempt), number: 2, ...attempt }],
    });

  it.each<[string, Partial<Attempt>, boolean]>([
    [
      'an attempt of this incident had it and ended',
      { incident: incident.id, lessons: [shown], endedAt: 5 },
      true,
    ],
    ['it still tries', { incident: incident.id, lessons: [shown], endedAt: null }, false],
    [
      'it was shown another one',
      { incident: incident.id, lessons: [{ ...shown, id: 'l2' }], endedAt: 5 },
      false,
    ],
    ['it was about something else', { incident: 'r1-i9', lessons: [shown], endedAt: 5 }, false],
  ])('holds nobody; it was tried if %s', (_, attempt, isTried) => {
    expect(cause(attempt) !== null).toBe(isTried);
  });
});

describe('the keys that concern a run', () => {
  it('are its account, login, model, both kinds of network and the disk', () => {
    expect(keysOf(new Story().prepared().state, PLACE)).toEqual([
      'account:rehearsal:a1',
      'login:rehearsal:a1',
      'model:rehearsal:default:a1',
      'network:laptop:rehearsal:a1',
      'network:laptop:run:r1',
      'host:laptop:disk',
    ]);
    expect(diskKey(PLACE)).toBe('host:laptop:disk');
  });

  it('are those of the agent that works now', () => {
    const agent = { name: 'codex', command: [], model: 'm1' };
    const attempts = crashed.attempts.map((attempt) => ({ ...attempt, agent }));
    expect(keysOf({ ...crashed, attempts }, PLACE)).toContain('model:codex:m1:a1');
    expect(keysOf({ ...crashed, attempts: [], agent }, PLACE)).toContain('account:codex:a1');
  });

  it('have the fleet’s cap while a counted restart has not started', () => {
    const restarted = new Story().prepared().started().ended().waited();
    expect(keysOf(restarted.state, PLACE)).toContain(FLEET_KEY);
    expect(keysOf(restarted.started().state, PLACE)).not.toContain(FLEET_KEY);
    expect(keysOf(new Story().state, PLACE)).not.toContain(FLEET_KEY);
  });
});

describe('a port of this machine', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '0.0.0.0', '::1', 'app.localhost'])(
    'is %s: it concerns one run',
    (host) => {
      expect(isLocal({ host, port: 1 })).toBe(true);
      expect(networkKey(crashed, PLACE, { host, port: 1 })).toBe('network:laptop:run:r1');
    },
  );

  it.each([
    'mylocalhost',
    'localhost.example.com',
    'app.localhost.example.com',
    '10.127.0.0.1',
    '127.0.0.1.example.com',
    '128.0.0.1',
    '::12',
  ])('is not %s: it concerns the account', (host) => {
    expect(isLocal({ host, port: 1 })).toBe(false);
    expect(networkKey(crashed, PLACE, { host, port: 1 })).toBe('network:laptop:rehearsal:a1');
  });
});
