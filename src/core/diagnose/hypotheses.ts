/** Other explanations, each with the test that would confirm it: the second reading of the lines first, then what such failures often hide. */
import type { Hypothesis } from '../vocabulary/diagnosis.ts';
import type { FailureClass } from '../vocabulary/failure-class.ts';
import type { Facts } from './facts.ts';
import type { Verdict } from './find-cause.ts';

const OFTEN: Partial<Record<FailureClass, readonly (readonly [string, string])[]>> = {
  test_failure: [
    ['the code is wrong', 'the failing test passes on the base commit'],
    [
      'the test expects old behaviour',
      'the test fails on the base commit too, or the task changed that behaviour',
    ],
  ],
  build_failure: [
    ['the first error is the only one', 'correct it and build again: the others are gone'],
    ['generated or installed files are stale', 'a clean build in a fresh checkout succeeds'],
  ],
  runtime_error: [
    [
      'the input is not what the code expects',
      'print the value named in the message just before the line that fails',
    ],
    ['the code never worked', 'the same command fails on the base commit'],
  ],
  timeout: [
    ['something waits for ever', 'run it alone with a longer limit: it still does not end'],
    ['the machine is slow or busy', 'it ends with twice the limit'],
  ],
  network_failure: [
    ['the service at {host} is down', 'curl or nc to {host} from this machine fails too'],
    ['this machine has no network', 'another host cannot be reached either'],
  ],
  auth_failure: [
    ['the credential has expired or was revoked', 'the same call with a fresh login works'],
    ['the credential is valid but may not do this', 'a harmless call with it works'],
  ],
  permission_denied: [
    ['the file belongs to another user', 'ls -l shows another owner'],
    ['a sandbox or mount forbids it', 'the same write works outside the sandbox'],
  ],
  rate_limited: [['other runs use the same account', 'the limit stays away when they pause']],
  overloaded: [['the provider has an outage', 'its status page or a single probe says so']],
  missing_dependency: [
    ['it is declared but not installed', 'it stands in the manifest; the install command brings it'],
    ['the name or version is wrong', 'the registry does not know it'],
  ],
  environment: [['the shell of the agent differs from yours', 'the same command works in your own shell']],
  resource_exhausted: [
    ['this program needs too much', 'its peak usage alone reaches the limit'],
    ['others use it up', 'it works when nothing else runs'],
  ],
  git_error: [
    ['another git process or an earlier step left this state', "git status and the lock file's age"],
  ],
  git_conflict: [['the branch is behind', 'git log HEAD..base shows commits that touch the same lines']],
  context_overflow: [
    ['one huge tool result fills it', 'the largest result in the transcript is near the limit'],
  ],
  budget_exhausted: [['the work looped', 'the transcript repeats the same calls']],
  interrupted: [['a person or a shutdown stopped it', 'shell history, system log']],
  tool_protocol_error: [
    ['the server prints text into its protocol stream', 'its raw output has lines that are not JSON'],
    ['the model sent a malformed call', 'the call in the transcript does not match the schema'],
  ],
};

/** More than three are not weighed by anybody. */
const MOST = 3;

export function hypothesesFor(verdict: Verdict, facts: Facts): readonly Hypothesis[] {
  if (verdict.failureType === 'success') return [];
  const list: Hypothesis[] = [];
  const other = verdict.findings.find(
    (finding) =>
      finding.failureClass !== verdict.failureType && finding.authority >= 0.6 && finding.recogniser !== null,
  );
  if (other !== undefined)
    list.push({
      cause: `${other.failureClass}: ${other.line.text.slice(0, 160)}`,
      test: `line ${other.line.number} appears also without the line that was taken as the cause`,
    });
  const host = facts.host === '' ? 'the service' : facts.host;
  for (const [cause, test] of OFTEN[verdict.failureType] ?? [
    ['the cause is not in this output', 'run it again with more verbose output'],
  ])
    list.push({ cause: cause.replaceAll('{host}', host), test: test.replaceAll('{host}', host) });
  return list.slice(0, MOST);
}
