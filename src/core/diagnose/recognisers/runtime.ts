/** `RUNTIME`: the work crashes or fails while it runs: crashes, statements of databases, files. */
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const RUNTIME = [
  r('runtime.crash', 'runtime_error', {
    says: oneOf(
      /Segmentation fault|segfault|SIGSEGV|SIGABRT|SIGBUS|SIGFPE|SIGILL|core dumped|(?:^|: )Aborted(?: \(core dumped\))?$/i,
      /\d Aborted |\bstack ?overflow|overflow\w{0,2} .{0,20}\bstack\b|Maximum call stack|RecursionError/i,
      /maximum recursion depth|stack smashing/i,
      /double free|corrupted size|invalid pointer|free\(\): |AddressSanitizer|UndefinedBehaviorSanitizer|terminate called/i,
      /Floating point exception|Bus error|Illegal instruction|panic: |panicked at|goroutine \d{1,12} \[running\]/i,
      /fatal error: all goroutines|Unhandled exception|Uncaught (?:Exception|Error|\w{0,80}Error)/i,
      /unhandled (?:exception|rejection|promise)|Traceback \(most recent|Exception in thread|stack level too deep/i,
      /Guru Meditation|init terminating|assertion failed|Bus error/i,
    ),
    alone: 0.6,
    cause: '{message}',
  }),
  r('runtime.named-stage', 'runtime_error', {
    says: /^(?:(?:RUNTIME|RUN-TIME|EXECUTION|EVALUATION) ERROR|(?:[Rr]un-?time|[Ee]xecution|[Ee]valuation) error)\b/,
    alone: 0.6,
    cause: '{message}',
  }),
  r('runtime.sql', 'runtime_error', {
    says: oneOf(
      /no such (?:table|column|function)|relation "[^"]{1,120}" does not exist|column "?[^"]{1,120}"? does not exist/i,
      /duplicate key value|UNIQUE constraint failed|violates (?:unique|foreign key|not-null|check)|FOREIGN KEY constraint/i,
      /NOT NULL constraint|Table '[^']{1,120}' doesn't exist|Unknown column|You have an error in your SQL/i,
      /syntax error at or near|near "[^"]{0,60}": syntax error|Duplicate entry|deadlock detected|Deadlock found/i,
      /could not serialize|division by zero|WRONGTYPE|ERR (?:unknown command|wrong number|value is not|syntax)|E11000/i,
      /MongoServerError|already exists.{0,10}$/i,
    ),
    alone: 0.5,
    cause: '{message}',
  }),
  r('runtime.file', 'runtime_error', {
    says: oneOf(
      /No such file or directory|\bENOENT\b|FileNotFound|NoSuchFile|cannot find the (?:file|path)|can't open file/i,
      /Could not open (?:input )?file|\bEISDIR\b|\bENOTDIR\b|Is a directory|Not a directory|os error 2\b|does not exist/i,
    ),
    alone: 0.35,
    byRole: 'runtime_error',
    cause: 'A file is missing: {message}',
    fix: 'Create {path|the file} or correct the path that names it',
  }),
];
