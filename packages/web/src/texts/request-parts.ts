import { catalogue } from './language.ts'

/** Files of requests and comments. */
export const files = catalogue('files', {
  add: 'Add files',
  photo: 'Take photo',
  dropNow: 'Drop the files here',
  hint: 'You can also drop or paste files here. Up to 20 files of at most 100 MB each.',
  chosen: 'Chosen files',
  waiting: 'Waiting',
  sending: '{percent} % of {size} uploaded',
  done: 'Uploaded, {size}',
  failed: 'Not uploaded: {reason}',
  retry: 'Upload {name} again',
  retryShort: 'Try again',
  remove: 'Remove {name}',
  removeShort: 'Remove',
  cancel: 'Cancel the upload of {name}',
  cancelShort: 'Cancel',
  tooMany: 'A request or comment can have 20 files at most. {name} and those after it were left out.',
  tooLarge: '{name} has {size}. A file can have 100 MB at most.',
  wait: 'You can send when all files are uploaded.',
  unfinished: 'Some files were not uploaded. Try them again or remove them.',
  pictures: 'Photos',
  open: 'Show {name}',
  noPreview: 'Not shown here: it is not a photo, or too large.',
  sizeAndType: '{size}, {type}',
})

/** The viewer of photos. */
export const viewer = catalogue('viewer', {
  place: '{place} of {count}',
  previous: 'Previous photo',
  next: 'Next photo',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: '{percent} %, fit to screen',
  zoom: '{percent} %',
  download: 'Download',
  failed: 'This file cannot be shown. Download it to open it.',
})

/** The history of a request. */
export const history = catalogue('history', {
  created: '{who} created the request',
  imported: '{who} imported the request',
  set: '{who} set {field} to {to}',
  removed: '{who} removed {field} ({from})',
  changed: '{who} changed {field} from {from} to {to}',
  changedText: '{who} changed {field}',
  filled: '{who} filled {field} from a package',
  line: '{what} · {time}',
  showFolded: '{count, plural, one {Show # earlier change} other {Show # earlier changes}}',
  show: 'Show the change',
  hide: 'Hide the change',
  before: 'Before',
  after: 'After',
  nothing: 'Empty',
  value: '“{text}”',
  key: 'API key “{name}”',
  operator: 'The operator',
  someone: 'Someone',
  removedPerson: 'a removed person',
  yes: 'yes',
  no: 'no',
  older: 'Changes older than the newest 500 are not shown. The API lists all of them.',
  failed: 'The changes of this request could not be loaded',
})

/** Editing the texts of a request. */
export const editing = catalogue('editing', {
  edit: 'Edit',
  print: 'Print',
  title: 'Edit request #{number}',
  notesHint: 'Only people who sign in see them. They are never mailed.',
  longText: 'A text can have 50,000 characters at most. This one has {characters}.',
  tooLongToEdit: 'This text came with an import and is too long to edit here.',
  saved: 'Changes saved',
  conflict: 'Someone else changed this request while you were editing',
  conflictHint: 'Nothing of yours is lost, and nothing was saved yet. Compare below, then save again.',
  theirs: '{field} is now:',
  theirsBy: '{who} changed {field} to:',
  useTheirs: 'Use this text',
  keepMine: 'Saving again replaces it with your text.',
  emptied: 'Empty',
})

/** Mentions in comments. */
export const mentions = catalogue('mentions', {
  hint: 'Type @ to mention someone who works on this site. They get a mail.',
  choices: 'People to mention',
  you: 'Mentions you',
  choice: '{name} ({email})',
})

/** Mail without a mail server. */
export const noMail = catalogue('noMail', {
  willNotBeSent: 'The comment will not be sent to {email}: no mail server is set up.',
  notSent: 'Your comment was added. Not sent to {email}: no mail server is set up.',
  remedy: 'The operator of the service sets SMTP_URL and restarts it. The mail waits in the outbox and is sent then.',
})
