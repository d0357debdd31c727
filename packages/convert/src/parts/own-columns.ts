import { FIELD_TARGETS, type FieldTarget } from '@plantroom/contract/conversion'
import { REQUEST_FIELDS } from '@plantroom/contract/request-fields'

const labelOf = (field: FieldTarget) =>
  field in REQUEST_FIELDS
    ? REQUEST_FIELDS[field as keyof typeof REQUEST_FIELDS].label
    : field.replace('reporter.', 'Reporter ')

/** The columns of our own tables, in their order. Other systems may offer them for fields of their own. */
export const OWN_COLUMNS: Readonly<Record<string, FieldTarget>> = Object.fromEntries(
  FIELD_TARGETS.map((field) => [labelOf(field), field]),
)

/** The columns of our own table of comments, which stands beside the one of requests. */
export const COMMENT_COLUMNS = [
  'Request',
  'Comment',
  'Author name',
  'Author email',
  'Author phone',
  'Created at',
  'Content',
  'Attachments',
] as const
