import type { TicketState } from '@plantroom/contract/tickets'
import { counted } from '../parts/value.ts'

/** The words of the maintenance requests. */
export const requests = {
  title: 'Maintenance requests',
  newRequest: 'New request',
  shortNumber: 'No.',
  requestTitle: 'Title',
  state: 'State',
  priority: 'Priority',
  hazard: 'Safety hazard',
  reporter: 'Reporter',
  assignee: 'Assignee',
  unit: 'Unit',
  tags: 'Tags',
  created: 'Created',
  updated: 'Updated',
  listLabel: 'Maintenance requests, the newest first',
  filtersLabel: 'Filters',
  search: 'Search',
  searchHint: 'Title, reporter, description or external ID',
  anyState: 'Any state',
  anyPriority: 'Any priority',
  anyTag: 'Any tag',
  anyUnit: 'Any unit',
  anyAssignee: 'Anyone',
  tag: 'Tag',
  clearFilters: 'Clear filters',
  noneAtAll: 'There are no maintenance requests yet',
  noneAtAllManager: 'Add one here, or bring them along from another system with',
  noneAtAllViewer: 'They appear here as soon as somebody adds or imports them.',
  importExport: 'Import / Export',
  noneMatch: 'No request matches these filters',
  noneMatchHint: 'Choose fewer filters, or other ones.',
  total: (count: number) => counted(count, 'request'),
  totalMatching: (count: number) => `${counted(count, 'request')} ${count === 1 ? 'matches' : 'match'}`,
  shownOf: (shown: number, total: number) => `${shown.toLocaleString('en')} of ${counted(total, 'request')} shown`,
  commentCount: (count: number) => counted(count, 'comment'),
  priorityOf: (priority: number) => `Priority ${priority}`,
  assignedTo: (name: string) => `Assigned to ${name}`,
  reportedBy: (name: string) => `Reported by ${name}`,
  createdAt: (time: string) => `Created ${time}`,
  updatedAt: (time: string) => `Updated ${time}`,
  moreTags: (count: number) => `+${count}`,
} as const

export const states: Readonly<Record<TicketState, string>> = {
  new: 'New',
  open: 'Open',
  in_progress: 'In progress',
  on_hold: 'On hold',
  resolved: 'Resolved',
  closed: 'Closed',
  canceled: 'Canceled',
}

export const newRequest = {
  title: 'New maintenance request',
  requestTitle: 'Title',
  requestTitleHint: 'What is wrong, in a few words',
  blankTitle: 'Say in a few words what is wrong.',
  longTitle: 'At most 255 characters; put the rest into the description.',
  description: 'Description',
  longDescription: 'At most 50,000 characters.',
  reporter: 'Reporter',
  reporterHint: 'Staff comments are mailed to the reporter.',
  assigneeHint: 'Somebody of this site.',
  myself: (email: string) => `You (${email})`,
  someoneElse: 'Somebody else …',
  reporterName: 'Name of the reporter',
  reporterEmail: 'E-mail of the reporter',
  reporterPhone: 'Phone of the reporter',
  namelessReporter: 'Give a name, an e-mail address or a phone number.',
  nobody: 'Nobody',
  noUnit: 'No unit',
  noPriority: 'No priority',
  add: 'Add request',
  added: (number: number) => `Request ${number} was added`,
} as const

export const request = {
  heading: (number: number, title: string) => `#${number} ${title}`,
  loading: (number: number) => `Request #${number}`,
  back: 'All maintenance requests',
  notFound: 'This site has no such request',
  notFoundHint: 'The number may be mistyped.',
  description: 'Description',
  noDescription: 'Nothing was written.',
  notes: 'Notes for the staff',
  resolution: 'Resolution',
  attachments: 'Attachments',
  details: 'Details',
  supervisor: 'Supervisor',
  watchers: 'Watchers',
  cc: 'Copies to',
  language: 'Language',
  tone: 'Tone',
  scope: 'Scope',
  feedback: 'Feedback',
  externalId: 'External ID',
  resolvedAt: 'Resolved',
  stateSince: 'In this state since',
  hazardYes: 'Yes',
  hazardNo: 'No',
  nobody: 'Nobody',
  noUnit: 'No unit',
  noPriority: 'None',
  noTags: 'None',
  notKnown: 'Not known',
  changesHint: 'Changes are saved at once. Nobody is mailed about them.',
  tagsHint: 'Enter adds a tag; one that the site lacks is created.',
  addTag: 'Add a tag',
  noPeople: 'This site has no people yet.',
  addPeople: 'Add people',
  saved: (what: string) => `${what} saved`,
  notSaved: (what: string) => `${what} was not saved`,
  viewerHint: 'You may look at this request, and not change it.',
  open: (name: string, size: string) => `Open ${name} (${size})`,
  attachmentFailed: (name: string) => `${name} cannot be opened`,
  showAll: (hiddenLines: number) =>
    hiddenLines > 0 ? `Show all (${counted(hiddenLines, 'more line')})` : 'Show all of this text',
  showLess: 'Show less',
} as const

export const scopes: Readonly<Record<string, string>> = {
  unit: 'One unit',
  common_area: 'Common area',
  building: 'Whole building',
}

export const tones: Readonly<Record<string, string>> = {
  neutral: 'Neutral',
  polite: 'Polite',
  frustrated: 'Frustrated',
  angry: 'Angry',
}

export const stateChange = {
  label: 'Change state',
  title: (state: string) => `Change the state to “${state}”`,
  action: (state: string) => `Change to “${state}”`,
  summary: 'Resolution summary',
  summaryHint: 'Optional: what was done, or why nothing was.',
  longSummary: 'At most 50,000 characters.',
  changed: (state: string) => `The state is “${state}” now`,
  nobodyMailed: 'Nobody is mailed about it.',
} as const

/** What a change of state means beside the state itself. */
export const consequences = {
  'resolved-now': 'It counts as resolved from now on.',
  'stays-resolved': 'It stays resolved since the time it was.',
  canceled: 'Nothing more is done about it. It does not count as resolved.',
  'not-resolved': 'It does not count as resolved any more; the time when it was is forgotten.',
  reopened: 'It is opened again; the time when it was resolved is forgotten.',
  none: '',
} as const

export const conversation = {
  title: 'Conversation',
  none: 'Nobody has written anything yet.',
  more: 'Show more comments',
  somebody: 'Not known who',
  noTime: 'Not known when',
} as const

export const staffComment = {
  label: 'Staff comment',
  send: 'Send comment',
  add: 'Add comment',
  longContent: (characters: number) => `At most 50,000 characters; these are ${characters.toLocaleString('en')}.`,
  willBeMailed: (email: string) => `It will be mailed to ${email}.`,
  noReporter: 'Nobody is mailed: this request has no reporter.',
  noAddress: (name: string) => `Nobody is mailed: there is no e-mail address of ${name}.`,
  yourself: 'Nobody is mailed: you are the reporter.',
  mailed: (email: string) => `Your comment was added, and is on its way to ${email}.`,
  notMailed: 'Your comment was added. Nobody is mailed.',
  atTheEnd: 'It is at the end of the conversation; show more comments to get there.',
  failed: 'The comment was not sent. What you wrote is still here.',
  unsure: 'It is not known whether the comment arrived',
  unsureHint:
    'Nobody answered. Look at the end of the conversation before you send it again. What you wrote is still here.',
} as const
