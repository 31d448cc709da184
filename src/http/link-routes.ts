/** `LINK_ROUTES`: lets other people in, in the maker's own name or as invited by the maker, and ends what came of a link. */
import { z } from 'zod';
import { DESK_ROLES, reaches } from './access.ts';
import { notAllowed } from './guard.ts';
import { route, type RouteSpec } from './route.ts';

/** Letters of names only: nobody is called "ann, invited by bob" but by that invitation. */
const PERSON = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@'-]*$/u;
const MAX_NAME = 60;
/** In a row: each is a part of the name. */
const MAX_INVITATIONS = 5;

const invitation = z.object({
  role: z.enum(DESK_ROLES).default('viewer'),
  by: z.string().trim().max(MAX_NAME).regex(PERSON).optional().describe('whom it is for; left out: yourself'),
});

export const LINK_ROUTES: readonly RouteSpec[] = [
  route('POST', '/api/links', {
    summary:
      'a link that logs a person in, once: yourself, or somebody whom the record then calls invited by you',
    input: invitation,
    answer: async ({ access, address }, { session, input: { role, by: name } }) => {
      const isOwn = name === undefined || name === session.by;
      // The desk is lent, not given away; and only its owner lets others start runs.
      const most = isOwn ? session.role : session.role === 'owner' ? 'starter' : 'operator';
      if (!reaches(session.role, role) || !reaches(most, role) || session.via.length > MAX_INVITATIONS)
        throw notAllowed(`a ${session.role} makes no such link for the role ${role}`);
      const by = isOwn ? session.by : `${name}, invited by ${session.by}`;
      const { code, id } = access.link({ role, by, via: session.via });
      return { url: `${address()}login?code=${code}`, id, by, role };
    },
  }),
  route('GET', '/api/links', {
    role: 'owner',
    summary: 'who may come in: links that wait, and sessions that they became',
    answer: async ({ access }) => ({
      links: access.all().map(({ via, by, role, until }) => ({ id: via.at(-1), by, role, until })),
    }),
  }),
  route('DELETE', '/api/links/:link', {
    role: 'owner',
    summary: 'end a link, the session that came of it, and whom that person invited',
    answer: async ({ access }, { params }) => {
      access.revoke(params['link'] ?? '');
      return { revoked: params['link'] };
    },
  }),
];
