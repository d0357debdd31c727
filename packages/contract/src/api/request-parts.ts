import { nextCursor, paging } from '../fields.ts'
import { ATTACHED_FILE_BYTES } from '../request-fields.ts'
import { route } from '../route.ts'
import { array, integer, object, type Static, text } from '../schema.ts'
import { TicketChange } from '../tickets.ts'
import { mayRead, mayWrite, SITE } from './site.ts'

const tag = 'Maintenance requests'
const REQUEST = `${SITE}/tickets/:number` as const

/** Someone whom a comment can mention: they sign in and have a role on the site. */
export const Mentionable = object({
  userId: text(),
  name: text({ description: 'The name of the person of the site with this email, or the email before the @' }),
  email: text(),
})
export interface Mentionable extends Static<typeof Mentionable> {}

/** What belongs to one request: its history, its pictures, files to attach and people to mention. */
export const requestPartRoutes = {
  listRequestChanges: route({
    method: 'GET',
    path: `${REQUEST}/changes`,
    access: mayRead,
    tag,
    summary: 'List the changes of a request, the newest first, by pages',
    description:
      'Values of more than 50,000 characters are shortened and end in …. A page of long values contains fewer changes than requested.',
    query: object(paging({ most: 200, default: 100 })),
    reply: object({ changes: array(TicketChange), nextCursor }),
  }),
  getAttachmentImage: route({
    method: 'GET',
    path: `${REQUEST}/attachments/:attachmentId/image`,
    access: mayRead,
    tag,
    summary: 'Get an attachment as a picture to show',
    description:
      'Only PNG, JPEG, WebP, GIF and AVIF, recognized by their bytes, of at most 50 megapixels and 50 MB. 404 for everything else: download it instead.',
    content: 'image/*',
  }),
  getAttachmentUploadUrl: route({
    method: 'GET',
    path: `${SITE}/attachment-uploads/upload-url`,
    access: mayWrite,
    tag,
    summary: 'Get an address for the upload of a file to attach, valid for one hour',
    description:
      'PUT the file to it unchanged, without X-Api-Key, then name uploadId in a new request or comment. A file that nobody attaches is removed after 7 days.',
    query: object({ size: integer({ minimum: 0, maximum: ATTACHED_FILE_BYTES, description: 'In bytes' }) }),
    reply: object({ uploadId: text(), url: text() }),
  }),
  listMentionable: route({
    method: 'GET',
    path: `${SITE}/mentionable`,
    access: mayWrite,
    tag,
    summary: 'List the people whom a comment can mention: those who sign in and have a role on the site',
    reply: object({ people: array(Mentionable) }),
  }),
} as const
