import { catalogue } from './language.ts'

/** The alerts of a site. */
export const alerts = catalogue('alerts', {
  title: 'Alerts',
  intro:
    'What is or was wrong with the controllers, the equipment, the imports and the automatic exports of this site.',
  openTitle: 'Open',
  closedTitle: 'Closed',
  openLabel: 'Open alerts',
  closedLabel: 'Closed alerts',
  what: 'What',
  since: 'Since',
  until: 'Until',
  noneOpen: 'Nothing is wrong',
  noneOpenHint: 'An alert appears here when trouble lasts longer than its rule allows.',
  noneClosed: 'No closed alerts yet',
})

/** Notifications by the browser. */
export const alertNotifications = catalogue('alertNotifications', {
  label: 'Notify me in this browser about new alerts',
  offer: 'Also when no page of Plantroom is open, if this browser allows it.',
  hint: 'Only while a tab with Plantroom is open, also in the background. Without one you get none: use mail for that.',
  pushed: 'Also when no page of Plantroom is open, until you sign out.',
  open: 'Say what is wrong and where',
  openHint: 'Anyone who sees this screen can read it, also while it is locked.',
  closedHint: 'Notifications only say how many alerts are new.',
  blocked: 'This browser blocks notifications of Plantroom. Allow them in its settings for this page, then reload.',
  unsupported: 'This browser shows no notifications of this page. They need HTTPS, and most phones do not offer them.',
  proofTitle: 'Notifications are on',
  proofBody: 'You see new alerts here.',
  one: '{site}: alert',
  many: '{count, plural, one {# new alert} other {# new alerts}}',
  manyBody: 'The newest: {alert}',
})

/** What is wrong, by kind. */
export const alertSentences = catalogue('alertSentences', {
  'controller-offline': 'The controller {device} is offline',
  'connection-lost': 'The controller {device} has lost its connection to {subject}',
  'setpoint-not-taken': '{subject} of the controller {device} does not take its setpoint',
  'not-restored': '{subject} of the controller {device} could not be set back',
  'limit-not-kept': 'The site of the controller {device} was above its power limit',
  'openadr-unreachable': 'The OpenADR program {subject} cannot be reached',
  'openadr-refused': 'Events of the OpenADR program {subject} could not be placed',
  'clock-wrong': 'The clock of the controller {device} is wrong',
  'import-failed': 'The import of {subject} failed',
  'export-failed': 'The automatic export to {subject} failed',
  'disk-low': 'The disk of the controller {device} is almost full',
  'disk-failed': 'The controller {device} cannot keep its memory on its disk',
  'memory-lost': 'The controller {device} had lost its memory',
  'file-rolled-back': 'The controller {device} went back to its earlier commissioning file',
  'telemetry-gap': 'Measurements of the controller {device} are missing',
})

/** What to do about it, by kind. */
export const alertAdvice = catalogue('alertAdvice', {
  'controller-offline':
    'Check its power and its network. If only its connection is down, it ends its overrides on time. If it has no power, its equipment stays as it is, unless it has a failsafe: go there.',
  'connection-lost': 'Check the power and the network of the equipment. The controller reconnects automatically.',
  'setpoint-not-taken': 'Check whether the equipment is in local or manual mode. The controller keeps retrying.',
  'not-restored':
    'Set the equipment back by hand if it matters now. If the controller cannot confirm it, close the hold.',
  'limit-not-kept':
    'Open the interval to see what drew the power. The alert ends when a later interval is within the limit.',
  'openadr-unreachable':
    'Open OpenADR and check the connection: it says what to ask the operator of the VTN. What was placed ends on time.',
  'openadr-refused':
    'Open OpenADR: each event says what was refused, by which controller and why. The alert ends with the event, or when it can be placed.',
  'clock-wrong':
    "Correct the clock or its time server. Until then the controller uses Plantroom's time. If it restarts without a connection, it may have to interrupt its overrides.",
  'import-failed': 'Open Import / Export, read what failed, and import the package again.',
  'export-failed':
    'Open Import / Export, correct what is named here, and run the automatic export. The alert ends when a package has arrived.',
  'disk-low': 'Free space on the disk of the controller, or replace it. Otherwise measurements are lost.',
  'disk-failed':
    'The controller takes no override until its disk can be written. What it holds still ends on time. Check the disk, or replace it.',
  'memory-lost':
    'The service gave back what it knew: what had ended was released, the rest goes on. Check the held equipment and the disk of the controller.',
  'file-rolled-back':
    'The new file lost connections or the service within ten minutes, so the controller undid it. Compare the versions on the Systems page, correct the file and load it again. If the file is right, tick “Keep it in any case” when you load it.',
  'telemetry-gap': 'Check the disk and the network of the controller. Control is not affected.',
})

/** Why an automatic export failed, where the service itself is the cause. */
export const alertCauses = catalogue('alertCauses', {
  missed: 'It is overdue, and no worker is running. Ask the operator to start one. It then runs once.',
  stopped: 'The API key that set it has been revoked or has expired. Check the targets, then save it again.',
  queued: 'It has waited for a free worker for more than 6 hours. Ask the operator to add workers.',
})

/** How far an interval was above its power limit. */
export const limitMissed = catalogue('limitMissed', { mean: 'The mean was {mean}, the limit {limit}.' })

/** Why an interval was above its power limit, by the state of the controller in it, and what to do. */
export const limitCauses = catalogue('limitCauses', {
  unlimited: 'The limit ended within the interval.',
  limited: 'The loads did not follow in time: check whether they take what the controller writes.',
  fallback: 'The meter could not be trusted: check the meter and its connection.',
  exhausted:
    'Everything that may be moved was moved: switch other consumers off, or add loads to the commissioning file.',
})

/** The kinds of alerts, for the rules. */
export const alertKinds = catalogue('alertKinds', {
  'controller-offline': 'Controller offline',
  'connection-lost': 'Connection to equipment lost',
  'setpoint-not-taken': 'Setpoint not taken',
  'not-restored': 'Equipment not set back',
  'limit-not-kept': 'Power limit not kept',
  'openadr-unreachable': 'OpenADR program unreachable',
  'openadr-refused': 'OpenADR event refused',
  'clock-wrong': 'Clock wrong',
  'import-failed': 'Import failed',
  'export-failed': 'Automatic export failed',
  'disk-low': 'Disk almost full',
  'disk-failed': 'Disk cannot be written',
  'memory-lost': 'Memory lost',
  'file-rolled-back': 'Commissioning file undone',
  'telemetry-gap': 'Measurements missing',
})

/** The rules for alerts. */
export const alertRules = catalogue('alertRules', {
  title: 'Alerts and webhooks',
  intro: 'When alerts of this organization open and close, and who gets mail about them.',
  forAdmins: 'Only administrators of the organization can change its alerts and webhooks.',
  rules: 'Rules',
  label: 'Rules for alerts',
  kind: 'Kind',
  on: 'On',
  onLabel: 'Alert: {kind}',
  openAfter: 'Opens after',
  openAfterLabel: 'Opens after: {kind}',
  closeAfter: 'Closes after',
  closeAfterLabel: 'Closes after: {kind}',
  badDelay: 'Enter a time up to 24 h, for example 5 min or 1 h.',
  recipients: 'Mail goes to',
  mail: {
    recipientsLater: 'When the service sends mail, it goes to',
    none: 'This service sends no mail',
    noneHint:
      'Alerts are shown in the console and sent to webhooks. For mail, the operator of the service sets SMTP_URL and restarts the service and its workers.',
    toSettings: 'Settings of the service',
    test: 'Send a test mail to me',
    queued: 'A test mail to {email} is on its way. If it does not arrive, ask the operator of the service.',
    queuedIn: 'A test mail to {email} is on its way. {outbox} shows whether the mail server took it.',
  },
  admins: 'All administrators of the organization',
  addresses: 'These addresses',
  email: 'E-mail address',
  sites: 'Only about these sites',
  allSites: 'All sites',
  addAddress: 'Add address',
  removeAddress: 'Remove {email}',
  remove: 'Remove',
  badAddress: 'Enter an e-mail address.',
  save: 'Save rules',
  saved: 'Rules saved',
})
