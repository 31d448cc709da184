/** `safeParse`: reads a value that another program wrote with a schema; never throws. */
import { z } from 'zod';

export function safeParse<T extends z.ZodType>(schema: T, value: unknown): z.ZodSafeParseResult<z.output<T>> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    // zod compares the `length` of an object that stands in place of a text; one with a `toString` of its own cannot be compared.
    if (!(error instanceof TypeError)) throw error;
    const issue = { code: 'custom', path: [], message: 'holds an object where none can be', input: value };
    return { success: false, error: new z.ZodError([issue as z.core.$ZodIssue]) as z.ZodError<z.output<T>> };
  }
}
