import type { UnplacedCode } from '@plantroom/contract/conversion-account'

/** What a value without a field of its own became. */
export interface UnplacedOutcome {
  readonly code: UnplacedCode
  /** The state or the field of which the text speaks. */
  readonly detail?: string
}

/** In English, for the command line and for files. Each completes "the value became …". */
const TEXTS: Readonly<Record<UnplacedCode, string>> = {
  'left-out': 'left out',
  'left-out-no-date': 'left out, because it says that there is no date',
  'left-out-separators': 'left out, because it has only separators',
  'left-out-empty-comment': 'left out, because it has neither text nor files',
  description: 'part of the description',
  'short-title': 'a shorter title, with the whole in the description',
  comment: 'a comment',
  'comment-part': 'part of the comment',
  'comment-too-long': 'part of the comment, because it is too long',
  'comment-missing-file': 'a name in the comment, because the file is missing',
  notes: 'part of the notes',
  'notes-unfit': 'part of the notes, because {detail} cannot hold it',
  'notes-no-priority': 'part of the notes, because the mapping lists no such priority',
  'notes-no-email': 'part of the notes, because it is no email',
  'notes-long-tag': 'part of the notes, because it is too long for a tag',
  'notes-missing-file': 'a name in the notes, because the file is missing',
  'other-state': 'the state {detail}, with the value in the notes',
  'reporter-email-and-notes': 'the email of the reporter, and part of the notes',
  'reporter-name': 'the name of the reporter, because it is no email',
  'person-name-in-notes': 'the {detail}, with the name in the notes',
  'address-name-in-notes': 'an address, with the name in the notes',
  'unstorable-character': 'text with � for a character that cannot be stored',
  'changed-file-name': 'the name of an attachment, changed',
  'earlier-moment': 'the earlier of two moments, because the clock was set back',
  'later-moment': 'a moment after the change, because the clock skipped this time',
}

export const describeUnplaced = ({ code, detail = '' }: UnplacedOutcome): string =>
  TEXTS[code].replace('{detail}', () => detail)
