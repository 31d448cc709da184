/** `RESOURCES`, `TIME`, `INTERRUPTIONS`: what the machine ran out of, which deadline ran out, and what stopped the process. */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const RESOURCES = [
  r('resource.disk', 'resource_exhausted', {
    says: oneOf(
      /\bENOSPC\b|No space left on device|Wrote only \d{1,12} of \d{1,12} bytes|disk (?:is )?full|Disk quota exceeded/i,
      /\bEDQUOT\b|database or disk is full|not enough (?:free )?(?:disk )?space|insufficient (?:disk )?space/i,
      /out of disk space|could not extend file|os error 28|not enough space on the disk|out of inodes/i,
      /You don't have enough free space/i,
    ),
    alone: 0.7,
    unless: /file watchers|413|too large for (?:the )?(?:model|context)/i,
    cause: 'The disk or the quota is full',
    fix: 'Free space on the disk (`df -h` and `df -i` show which is full; `quota` where one is set)',
  }),
  r('resource.file-size', 'resource_exhausted', {
    says: /file size limit exceeded|File too large|\bEFBIG\b|File size limit|os error 27|SIGXFSZ/i,
    alone: 0.7,
    unless: /413|too large for (?:the )?(?:model|context)/i,
    cause: 'A file grew larger than is allowed',
    fix: 'Let the program write less, or raise the allowed file size (`ulimit -f`, limits of the file system)',
  }),
  r('resource.memory', 'resource_exhausted', {
    says: [
      /out of memory|OutOfMemory|heap out of memory|MemoryError\b|Cannot allocate memory|\bENOMEM\b|bad_alloc/i,
      /memory allocation of \d{1,12} bytes failed|Allocation failed|Unable to allocate|failed to allocate/i,
      /virtual memory exhausted|\bOOM\b(?:Killed| command|-kill|\b)|oom-kill|Java heap space|GC overhead limit/i,
      /insufficient memory|memory (?:usage )?limit (?:exceeded|of|reached)|hit the memory|Allowed memory size of/i,
      /cannot allocate|std::bad_alloc|used memory > 'maxmemory'|not enough memory|Memory cgroup|memory exhausted/i,
      /runtime: out of|failed to map segment|cannot reserve|NoMemoryError|cannot create thread.{0,40}memory/i,
      /cc1plus.{0,30}Killed|fatal error: Killed signal|cuda out of memory|CUDA_ERROR_OUT_OF_MEMORY|hit the memory limit/i,
      /^(?:.{0,60}: )?(?:line \d{1,12}: )?(?:\d{1,12} )?Killed(?: .{0,200})?$/,
      /\(?(?:exit code|status) 137\)?/,
    ],
    alone: 0.7,
    unless:
      /recommend|increase|MaxListeners|Killed by (?:signal|user)|failed to allocate (?:ip|port|address)/i,
    cause: 'The process ran out of memory',
    fix: 'Give the process more memory or let it do less at once (`free -m`, `ulimit -a`)',
  }),
  r('resource.handles', 'resource_exhausted', {
    says: oneOf(
      /\bEMFILE\b|\bENFILE\b|too many open files|Too many open files|\bENOSPC\b: System limit for number of file watchers/i,
      /inotify watch(?:es)? limit|\bEAGAIN\b.{0,60}(?:fork|thread|spawn)|can't start new thread/i,
      /unable to create (?:new )?native thread/i,
      /(?:fork|clone|pthread_create)\S{0,20}:? .{0,40}Resource temporarily unavailable/i,
      /retry: Resource temporarily unavailable|cannot fork|fork failed|Can't fork/i,
      /too many (?:clients|connections|processes|threads|users)|connection slots are reserved|remaining connection slots/i,
      /max(?:imum)? (?:number of )?(?:clients|connections) reached|Too many connections|too many clients already/i,
      /pool (?:is )?exhausted|QueuePool limit|connection pool (?:exhausted|timed out)|Argument list too long|\bE2BIG\b/i,
      /failed to create (?:new OS )?thread|newosproc|Too many processes|Resource temporarily unavailable/i,
    ),
    alone: 0.6,
    cause: 'The machine ran out of file handles, threads, processes or connections',
    fix: 'Raise the limit that ran out (`ulimit -a`, connection counts), or close what is not needed',
  }),
];

export const TIME = [
  r('timeout.waiting', 'timeout', {
    says: /\btime(?:d |-)?out (?:while )?waiting (?:for|on|until):? ?(?<name>\S.{0,120})/i,
    alone: 0.5,
    unless: /\block\b|retrying|will retry|element|selector|locator/i,
    cause: 'What it waited for did not come in time: {name}',
    fix: 'Look whether {name} is started and why it is not ready; raise the limit only if it is slow',
  }),
  r('timeout.limit', 'timeout', {
    says: oneOf(
      /\b(?:exceeded|failed|error)\b.{0,20}\btime-?out\b.{0,8}\b(?<limit>[\d.]{1,12} ?m?s)\b|Timeout of (?<limit>\d{1,12} ?ms) exceeded/i,
      /\b(?:test|hook) timed out in (?<limit>\d{1,12} ?ms)/i,
      /test timed out after|Test timeout of (?<limit>\d{1,12} ?ms) exceeded/i,
      /timed out after (?<limit>[\d.]{1,80} ?(?:milliseconds|minutes|seconds|min|sec|ms|s|m))|panic: test timed out after/i,
      /testTimeoutFailure|exceeded the timeout of/i,
      inOrder(
        /(?:did not|didn't|failed to|does not) /i,
        /(?:complete|finish|respond|answer|reply|return|start|stop|become \w{1,20}) (?:within|in|after) /i,
        /(?<limit>[\d.]{1,80} ?\w{1,80})/i,
      ),
      /Async callback was not invoked within|TestTimedOutException|test exceeded (?:the )?time(?:out| limit)/i,
    ),
    alone: 0.6,
    unless: /^should |^Timeout of \d{1,12}ms exceeded by/i,
    cause: 'The time limit of {limit} ran out',
  }),
  r('timeout.work', 'timeout', {
    says: [
      /MCP error -32001|-32001\b.{0,40}timed? ?out/i,
      /^Timed out while running/i,
      /(?:Read|Write|Request|Pool|Client|Socket|Gateway|Query)[ _]?Time(?:d ?)?[oO]ut(?:Error|Exception|Expired|Failure)?\b/i,
      /(?:Statement|Response|Task|Job|Step|Command|Operation)[ _]?Time(?:d ?)?[oO]ut(?:Error|Exception|Expired|Failure)?\b/i,
      /(?:Process|Navigation|API|Tool|Lock|Session|Future|Wait)[ _]?Time(?:d ?)?[oO]ut(?:Error|Exception|Expired|Failure)?\b/i,
      /(?:Page|Script)[ _]?Time(?:d ?)?[oO]ut(?:Error|Exception|Expired|Failure)?\b/i,
      /TimeoutError|TimeoutException|TimeoutExpired|Timeout::Error|Timeout::ExitException|ReadTimeout|APITimeoutError/,
      /\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|DeadlineExceeded|deadline exceeded|DEADLINE_EXCEEDED|DeadlineExceededError/,
      /asyncio\.exceptions\.TimeoutError|socket\.timeout|HeadersTimeoutError|BodyTimeoutError/,
      /UND_ERR_(?:HEADERS|BODY)_TIMEOUT|LockTimeout|context deadline/,
      /statement timeout|lock timeout|lock wait timeout|canceling statement due to (?:statement|lock) timeout/i,
      /maximum statement execution time|interrupted system call due to timeout|operation exceeded time limit|MaxTimeMSExpired/i,
      /query (?:timed? ?out|execution was interrupted, maximum)/i,
      /\btimed[ -]?out\b|time limit exceeded|time-?out (?:exceeded|expired|reached|waiting|after)|timeout of \d{1,12}/i,
      /(?:took|waited) (?:too long|longer than)|deadline (?:has )?(?:elapsed|passed|ran out)|operation took too long/i,
      /no (?:response|answer|reply)\b.{0,60}(?:within|after|in) \d{1,12}|The operation was aborted due to timeout/i,
      /exceeded (?:the )?(?:maximum )?(?:execution )?time(?:out| limit)|Maximum execution time of|timeout: sending signal/i,
      /timer expired|Timeout exceeded|\bTimeout\b.{0,40}\bexceeded\b|Operation too slow|(?:^|[\s:=])["']?Timeout["']?[.!]?$/i,
      /(?:connection|client|handshake) ?time-?out(?: expired|ed)?|ConnectionTime(?:d )?[oO]ut(?:Error|Exception)?\b/i,
    ],
    alone: 0.5,
    unless:
      /retrying|will retry|attempt \d{1,12} of|Connection refused|ECONNREFUSED|sentinel|timed out: 0|0 timed out/i,
    cause: 'A deadline ran out before the work was done',
  }),
];

export const INTERRUPTIONS = [
  r('interrupted.signal', 'interrupted', {
    says: [
      /KeyboardInterrupt|^\^C|\bSIG(?:INT|TERM|HUP|QUIT)\b|Interrupted by (?:user|signal)|interrupted by user/i,
      /user (?:has )?(?:interrupted|cancell?ed|aborted)|(?:was|been) cancell?ed(?: by)?|cancell?ed by (?:user|the user)/i,
      /canceling statement due to user request|Operation cancelled|Aborted by user|aborted by (?:the )?user/i,
      /signal: (?:interrupt|terminated|hangup)|received (?:an )?interrupt|Interrupted!|build interrupted/i,
      /The (?:runner|operation|process) (?:has received a shutdown signal|was cancell?ed|was interrupted)|Command cancelled/i,
      /Request interrupted|caught (?:signal|interrupt)|shutting down on signal/i,
      /terminated by signal (?:SIG)?(?:INT|TERM|HUP|2|15|1)\b|job (?:was )?cancell?ed/i,
      /Quitting because of (?:signal|interrupt)|Received interrupt|Stopping on signal|Execution interrupted/i,
      /killed by signal (?:2|15|1)\b|Interrupted: (?!\d{1,12} error)/i,
      /(?:Conversation|Session|Run|Task|Turn) (?:was )?interrupted|Process interrupted/i,
      /^(?:.{0,120}: )?(?:Hangup|Terminated|Interrupt)$|\] (?:Interrupt|Terminated|Hangup)$/,
    ],
    alone: 0.5,
    unless: /due to timeout|during collection|stopping after|SIGTERM handler|conflict|TimeoutError/i,
    cause: 'Something outside stopped it',
  }),
  r('interrupted.cancelled', 'interrupted', {
    says: oneOf(
      /CancelledError|CancellationError|OperationCanceledException|TaskCanceledException|AbortError|context canceled/i,
      /operation (?:was )?(?:cancell?ed|aborted)\.?$/i,
    ),
    alone: 0.5,
    // A cancelled task is often how a deadline or an outage shows: any other reading comes first.
    lead: -30,
    cause: 'Something cancelled it',
  }),
];
