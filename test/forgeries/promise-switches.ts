/**
 * `PROMISE_SWITCHES`: what keeps the promises of reliability where something fails, each as a switch like those of `defences.ts`: the
 * words of the source to take out, and the tests of which at least one must then fail.
 */
import type { Defence } from './defences.ts';

const CONTRACT = 'test/contracts/record-sqlite.test.ts';
const RESTORE = 'test/act/checkpoint/restore-checkpoint.test.ts';
const SAVE = 'test/act/checkpoint/take-checkpoint.test.ts';
const SWEEP = 'test/act/workspace/sweep.test.ts';
const DISK = 'test/record/sqlite/world.test.ts';
const CHECKS = 'test/act/checks/verify-tree.test.ts';
const MIGRATED = {
  file: 'test/record/postgres/parts/hosts.long.test.ts',
  titles: ['go on, unless the new tables are not for them'],
};

/** In the order of the promises: what is recorded, who may act, what is dead, what may be deleted, what is bounded. */
export const PROMISE_SWITCHES: readonly Defence[] = [
  {
    defence: 'with full durability the disk is asked before a turn is acknowledged',
    file: 'src/record/sqlite/open.ts',
    from: 'PRAGMA synchronous = ${durability};',
    to: 'PRAGMA synchronous = normal;',
    proof: {
      file: 'test/record/sqlite/failing-disk.long.test.ts',
      titles: ['is asked before each acknowledged step with full durability'],
    },
  },
  {
    defence: 'a record is not trusted after a failed fsync',
    file: 'src/record/sqlite/connection.ts',
    from: 'if (isFsyncFailure(error)) this.#broken = typed;',
    to: '',
    proof: { file: DISK, titles: ['trusts nothing any more after the disk refused to make a write safe'] },
  },
  {
    defence: 'a record without its log is not taken for an older one',
    file: 'src/record/sqlite/open.ts',
    from: '? readAnchorTail(anchorPathOf(path)) : [];',
    to: '? readAnchorTail(anchorPathOf(path)).slice(0, 0) : [];',
    proof: { file: DISK, titles: ['notices that its write-ahead log was taken away'] },
  },
  {
    defence: 'a commit with an unknown outcome is read back',
    file: 'src/supervise/patient-record.ts',
    from: 'if (mayBeThere && (await isThere(patient, turn))) return;',
    to: 'if (mayBeThere && turn.fence < 0) return;',
    proof: {
      file: 'test/supervise/patient-record.test.ts',
      titles: ['a commit that failed %s it was written is there once'],
    },
  },
  {
    defence: 'a record of a newer version is not written',
    file: 'src/record/sqlite/open.ts',
    from: 'connection.refuseWriting(newerRecord(path));',
    to: '',
    proof: {
      file: 'test/record/sqlite/damage.test.ts',
      titles: ['written by a newer Mayday can be read and is not written'],
    },
  },
  {
    defence: 'every text goes through redaction on its way into the record',
    file: 'src/record/redaction/redacted.ts',
    from: "if (typeof each === 'string') return redactor().redactJson(each);",
    to: "if (typeof each === 'string' && redactor() !== null) return each;",
    proof: {
      file: 'test/record/sqlite/redaction.test.ts',
      titles: ['no writer lets a secret through, whichever field it stands in'],
    },
  },
  {
    defence: 'a secret that is only a number is hidden',
    file: 'src/record/redaction/redact.ts',
    from: 'if (!MAY_BE_JSON.test(text)) return redactAgain(text);',
    to: '',
    proof: {
      file: 'test/record/redaction/redact.test.ts',
      titles: ['hides in JSON what it hides in values, however often it saw the text'],
    },
  },
  {
    defence: 'metrics are left out of a turn only if no other process can have changed them',
    file: 'src/record/postgres/parts/journal.ts',
    from: 'known?.fence === given.fence && known.metrics === given.row.metrics;',
    to: 'known?.metrics === given.row.metrics;',
    proof: {
      file: 'test/contracts/record-postgres.test.ts',
      titles: ['are those of the latest turn, also where a writer says again what another has changed since'],
    },
  },
  {
    defence: 'a host that the tables outgrew while it was at work ends',
    file: 'src/record/postgres/parts/hosts.ts',
    from: "if (Number(row?.['oldest'] ?? 0) > SCHEMA_VERSION)",
    to: "if (Number(row?.['oldest'] ?? 0) < 0 && SCHEMA_VERSION > 0)",
    proof: MIGRATED,
  },
  {
    defence: 'a keeper that the tables outgrew renews no lease',
    file: 'src/record/postgres/parts/lease.ts',
    from: '(SELECT oldest FROM store) <= $5',
    to: '(SELECT oldest FROM store) >= $5',
    proof: MIGRATED,
  },
  {
    defence: 'a look is never older than its question',
    file: 'src/record/postgres/gathered.ts',
    from: 'next = null;\n      return ask([...keys]);',
    to: 'return ask([...keys]).finally(() => (next = null));',
    proof: {
      file: 'test/record/postgres/gathered.test.ts',
      titles: ['an answer never comes from a question that began before it was asked for'],
    },
  },
  {
    defence: 'the fence is checked before each turn',
    file: 'src/record/sqlite/run-head.ts',
    from: 'if (!head.held || head.fence !== fence)',
    to: 'if (!head.held)',
    proof: { file: CONTRACT, titles: ['makes an owner harmless whose lease was taken or released'] },
  },
  {
    defence: 'the fence is checked before each act',
    file: 'src/record/sqlite/parts/outbox.ts',
    from: 'if (head === null || !head.held || head.fence !== fence) return false;',
    to: 'if (head === null || fence < 0) return false;',
    proof: { file: CONTRACT, titles: ['makes an owner harmless whose lease was taken or released'] },
  },
  {
    defence: 'a keeper whose lease is somebody else’s hears so',
    file: 'src/supervise/lease/lease-keeping.ts',
    from: 'if (!(await this.#renew())) return false;',
    to: 'await this.#renew();',
    proof: {
      file: 'test/supervise/lease/lease-keeping.test.ts',
      titles: ['a lease that is somebody else’s is told, and renewed only when it is time'],
    },
  },
  {
    defence: 'a question is answered once',
    file: 'src/core/decide/accepts.ts',
    from: '=> isAnswer(openQuestion(state)?.question, fact),',
    to: '=> fact.question !== "",',
    proof: { file: 'test/core/step.test.ts', titles: ['a question is answered once'] },
  },
  {
    defence: 'identity is checked before each signal',
    file: 'src/platform/process/process-identity.ts',
    from: "return row === null || row.startTicks !== here.startTicks ? 'gone' : row.state;",
    to: "return row === null ? 'gone' : row.state;",
    proof: {
      file: 'test/platform/container/stop.test.ts',
      titles: ['not even one who has the recorded number now'],
    },
  },
  {
    defence: 'a number of an earlier boot means nobody',
    file: 'src/platform/process/process-identity.ts',
    from: "if (identity.bootId !== bootId()) return host === undefined || host === hostId() ? 'gone' : 'unseen';",
    to: '',
    proof: {
      file: 'test/platform/process/process-identity.test.ts',
      titles: ['after a reboot everybody is gone, whoever has the number now'],
    },
  },
  {
    defence: 'a process that cannot be seen is not dead',
    file: 'src/platform/process/process-identity.ts',
    from: "return state === 'gone' || state === 'zombie';",
    to: "return state === 'gone' || state === 'zombie' || state === 'unseen';",
    proof: {
      file: 'test/platform/container/witness.test.ts',
      titles: ['processes on another machine are unseen: neither empty nor gone, until a person says so'],
    },
  },
  {
    defence: 'a number of a process counts in its own namespace',
    file: 'src/platform/process/namespace-view.ts',
    from: 'numbers.length > depth || namespaceOf(pid) === namespace;',
    to: 'numbers.length >= depth;',
    proof: {
      file: 'test/platform/process/namespace-view.test.ts',
      titles: ['of two processes with the same number and start in two namespaces, each is found by its own'],
    },
  },
  {
    defence: 'the agent holds the witness itself',
    file: 'src/platform/container/witness.ts',
    from: "files.map((file) => lock(file, '--shared'));",
    to: 'files.map(() => 0);',
    proof: {
      file: 'test/platform/container/witness.test.ts',
      titles: ['the witness is held by the agent alone when its attendant is killed'],
    },
  },
  {
    defence: 'an attempt has not ended while a process of it lives',
    file: 'src/platform/container/observe.ts',
    from: "return membersOf(handle).every((row) => row.state === 'zombie');",
    to: 'return true;',
    proof: {
      file: 'test/platform/container/container.test.ts',
      titles: ['that left a child in another session is not empty until that child is gone'],
    },
  },
  {
    defence: 'a process that cannot be killed is a question',
    file: 'src/core/decide/on-attempt.ts',
    from: "kind: 'unkillable',",
    to: "kind: 'frozen' as never,",
    proof: {
      file: 'test/core/decide/person-words.test.ts',
      titles: ['leaves the question about a process that cannot be killed'],
    },
  },
  {
    defence: 'a restore refuses while a process of the run lives',
    file: 'src/act/checkpoint/restore-checkpoint.ts',
    from: 'if (spec.liveProcesses !== 0)',
    to: 'if (spec.liveProcesses < 0)',
    proof: { file: RESTORE, titles: ['refuses while something of the run is alive'] },
  },
  {
    defence: 'a restore relies on a checkpoint that reads back',
    file: 'src/act/checkpoint/restore-checkpoint.ts',
    from: 'if (checkpoint !== null && check.holds) return checkpoint;',
    to: 'if (checkpoint !== null) return checkpoint;',
    proof: { file: RESTORE, titles: ['refuses a checkpoint that does not read back'] },
  },
  {
    defence: 'an ignored file is saved before a restored one takes its place',
    file: 'src/act/checkpoint/restore-checkpoint.ts',
    from: 'ignoredRawPaths: hidden,',
    to: 'ignoredRawPaths: hidden.slice(0, 0),',
    proof: { file: RESTORE, titles: ['saves an ignored file before a restored one takes its place'] },
  },
  {
    defence: 'a restore deletes only what a checkpoint recorded',
    file: 'src/act/checkpoint/restore-plan.ts',
    from: 'newer.filter((change) => !recorded.has(change.rawPath));',
    to: 'newer.filter((change) => recorded.has(change.rawPath) && !recorded.has(change.rawPath));',
    proof: { file: RESTORE, titles: ['keeps files that no checkpoint recorded, with their content'] },
  },
  {
    defence: 'a checkpoint that misses a file is partial',
    file: 'src/act/checkpoint/take-checkpoint.ts',
    from: "state: parts.missing.length === 0 ? ('complete' as const) : ('partial' as const),",
    to: "state: 'complete' as const,",
    proof: { file: SAVE, titles: ['leaves out what is larger than the limit'] },
  },
  {
    defence: 'a workspace that cannot be saved is not moved away',
    file: 'src/act/workspace/release-workspace.ts',
    from: "if (saved.type === 'not_saved') {\n    await letGo(workspace, path, spec.signal);",
    to: "if (saved.type === ('never' as string)) {\n    await letGo(workspace, path, spec.signal);",
    proof: {
      file: SWEEP,
      titles: ['a workspace that cannot be saved stays where it is', 'and what it cannot save'],
    },
  },
  {
    defence: 'a sweep leaves runs that go on',
    file: 'src/act/workspace/sweep.ts',
    from: 'else if (run.ended) {\n      const released',
    to: 'else if (run !== null) {\n      const released',
    proof: {
      file: SWEEP,
      titles: ['leaves runs that go on, work that stays by wish, and what it cannot save'],
    },
  },
  {
    defence: 'a worktree is locked while it is in use',
    file: 'src/platform/git/worktree.ts',
    from: '[LOCK, reason],\n',
    to: '',
    proof: {
      file: 'test/act/workspace/make-workspace.test.ts',
      titles: ['is a locked worktree at HEAD without the uncommitted changes'],
    },
  },
  {
    defence: 'a transcript stops at its cap',
    file: 'src/record/transcript/transcript.ts',
    from: 'this.#full ||= end > this.#capBytes;',
    to: 'this.#full ||= end < 0;',
    proof: {
      file: 'test/record/transcript/transcript.test.ts',
      titles: ['stops at its cap, says so, and stays stopped'],
    },
  },
  {
    defence: 'a request to the desk is bounded by what comes',
    file: 'src/http/desk-app.ts',
    from: 'if (bytes > MAX_BODY_BYTES)',
    to: 'if (bytes < 0)',
    proof: {
      file: 'test/http/desk-answers.test.ts',
      titles: ['a body of the wrong type, too large or too deep is refused'],
    },
  },
  {
    defence: 'a message over MCP is bounded before it is whole',
    file: 'src/mcp/mcp-server.ts',
    from: 'streamLines(input, MAX_LINE_CHARS)',
    to: 'streamLines(input, Number.MAX_SAFE_INTEGER)',
    proof: {
      file: 'test/mcp/mcp-server.test.ts',
      titles: ['refuses a message that is too long before it is whole'],
    },
  },
  {
    defence: 'a check that changed the tree is named',
    file: 'src/act/checks/verify-tree.ts',
    from: '...during, ...changed];',
    to: '...during];',
    proof: { file: CHECKS, titles: ['that delete themselves are named'] },
  },
  {
    defence: 'what an agent says it used never falls',
    file: 'src/core/state/usage.ts',
    from: 'const most = (earlier: number | undefined, later: number | undefined) =>\n    Math.max(counted(earlier), counted(later));',
    to: 'const most = (_: number | undefined, later: number | undefined) => counted(later);',
    proof: { file: 'test/core/state/usage.test.ts', titles: ['never goes backwards within an attempt'] },
  },
];
