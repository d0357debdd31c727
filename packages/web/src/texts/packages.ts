import { catalogue } from './language.ts'

/** Import and export of maintenance requests. */
export const packages = catalogue('packages', {
  title: 'Import / Export: Maintenance requests',
  intro: "Import requests from another system, or export this site's requests, as a .fpl package.",

  importing: {
    title: 'Import',
    drop: 'Drop a package here',
    dropHint: 'A .fpl file of at most 5 GB. Plantroom checks it first and imports nothing until you confirm.',
    dropNow: 'Drop it anywhere on this page',
    choose: 'Choose file',
    input: 'Package to import',
    forManagers: 'Only managers and admins can import and export packages. You can view past jobs.',
  },

  name: {
    title: '“{name}” is not a valid package name',
    flaw: {
      ending: 'The name must end in .fpl.',
      'nothing-before': 'The name needs at least one character before .fpl.',
      'too-long': 'The name can have 255 characters at most.',
      characters: 'The name can contain letters (including ä, ö, õ, ü), digits, spaces and _ - . ( ).',
    },
    use: 'Upload as “{name}”',
    notAPackage: 'Choose a package, or rename the file first.',
    convert: 'It looks like an export of another system. Convert it into a package first.',
    folder: 'This is a folder. A package is one file: compress the contents of the folder and name the result .fpl.',
    several: 'Drop one package at a time.',
    tooLarge: 'This file is {size}, but a package can be 5 GB at most. Split the requests into several packages.',
  },

  upload: {
    bar: 'Upload of {name}',
    title: 'Uploading {name}',
    gone: '{loaded} of {total}',
    position: 'File {position} of {count}',
    speed: '{amount}/s',
    left: 'About {time} left',
    starting: 'Uploaded. Starting the check…',
    stay: 'You can open other pages of the console meanwhile. If you close this tab, choose the same file later to continue.',
    stayWhole: 'You can open other pages of the console meanwhile. Closing this tab cancels the upload.',
    comparing: 'Comparing {name} with what is already uploaded',
    completing: 'Completing the upload of {name}',
    paused: 'The upload of {name} is paused',
    pause: 'Pause',
    resume: 'Continue upload',
    retrying:
      '{seconds, plural, =0 {The connection is lost. Trying again…} other {The connection is lost. Next attempt in # s.}}',
    another: 'There is an unfinished upload of another file named {name}',
    anotherHint:
      'That file has the same size but different content. Replace the unfinished upload, or cancel and choose that file.',
    replace: 'Replace it with this file',
    unreadable: 'The browser cannot read the file any more. It was changed, moved or removed. Choose it again.',
    cancel: 'Cancel upload',
    failed: '{name} was not uploaded',
    cutOff: 'The connection broke and nothing was kept. Upload the file again.',
    timedOut: 'The upload was too slow and was stopped. Check your connection, then upload the file again.',
    noRoom: 'The file store is full. Ask your operator to free space, then upload the file again.',
    refused: 'The file store answered {status}. Try again. If it happens again, contact your operator.',
    again: 'Upload again',
    doneAway: '{name} is uploaded and being checked',
    doneAwayHint: 'See Import / Export.',
  },

  unfinished: {
    title: 'The upload of {name} is not complete',
    hint: 'Choose the same file to continue. Last activity: {last}. Plantroom removes the unfinished upload: {end}.',
    choose: 'Choose file and continue',
    input: 'File of the unfinished upload {name}',
    other: '“{name}” is another file',
    otherHint: 'The unfinished upload belongs to {name} ({size}). The file you chose is {given}.',
  },

  job: {
    of: {
      PREVIEW_TICKET_IMPORT: 'Check',
      TICKET_IMPORT: 'Import',
      TICKET_EXPORT: 'Export',
      PREVIEW_TICKET_FILL: 'Fill check',
      TICKET_FILL: 'Fill',
    },
    title: {
      PREVIEW_TICKET_IMPORT: 'Check of {file}',
      TICKET_IMPORT: 'Import of {file}',
      TICKET_EXPORT: 'Export of {file}',
      PREVIEW_TICKET_FILL: 'Fill check of {file}',
      TICKET_FILL: 'Fill from {file}',
    },
    bar: {
      PREVIEW_TICKET_IMPORT: 'Check: progress',
      TICKET_IMPORT: 'Import: progress',
      TICKET_EXPORT: 'Export: progress',
      PREVIEW_TICKET_FILL: 'Fill check: progress',
      TICKET_FILL: 'Fill: progress',
    },
    accepted: 'Started {time}',
    acceptedBy: 'Started {time} by {who}',
    lost: 'The connection to Plantroom is lost. The job continues, and this page updates once Plantroom answers.',
    noWorker: 'This takes unusually long. Ask your operator whether a worker is running. Nothing is lost meanwhile.',
    stays: 'You can close this page. The job continues, and this address shows it again.',
  },

  progress: {
    waiting: 'Waiting to start',
    starting: 'Starting',
    stages: {
      'checking manifest': 'Reading the list of requests',
      'checking files': 'Checking files',
      comparing: 'Comparing with the requests of this site',
      importing: 'Importing requests',
      filling: 'Filling empty fields',
      requests: 'Collecting requests',
      files: 'Packing attachments',
    },
    ofBytes: '{done} of {total}',
    ofRequests: '{count, plural, one {{done} of # request} other {{done} of # requests}}',
    attempt: 'Attempt {current} of {most}',
    again: 'Attempt {next} of {most} starts within a minute',
    againTitle: 'The last attempt did not finish',
    againHint: 'Imported requests stay. The next attempt continues where this one stopped.',
  },

  counts: {
    new: 'New requests',
    existing: 'Already on this site',
    comments: 'Comments',
    attachments: 'Attachments',
    imported: 'Imported requests',
    skipped: 'Skipped, already on this site',
    tags: 'New tags',
  },

  preview: {
    valid: 'The package is valid',
    willAdd: '{count, plural, one {The import adds # new request.} other {The import adds # new requests.}}',
    willSkip:
      '{count, plural, one {It skips # request that is already on this site.} other {It skips # requests that are already on this site.}}',
    empty: 'The package has no requests, so there is nothing to import.',
    nothingNew:
      '{count, plural, one {The # request of the package is already on this site, so there is nothing to import.} other {All # requests of the package are already on this site, so there is nothing to import.}}',
    noMail: 'The import sends no mail and never changes existing requests.',
    importAll: '{count, plural, one {Import # request} other {Import # requests}}',
    forManagers: 'A manager or an admin can import it.',
  },

  imported: {
    title: 'The import is complete.',
    line: '{count, plural, one {# request added, {skipped} skipped.} other {# requests added, {skipped} skipped.}}',
    seeRequests: 'View requests',
    numbers: 'Download request numbers (CSV)',
    numbersHint: 'The file lists the external ID of each request and its number on this site.',
  },

  findings: {
    tags: '{count, plural, one {# new tag, created by the import} other {# new tags, created by the import}}',
    units: '{count, plural, one {# unknown unit, left empty} other {# unknown units, left empty}}',
    people: '{count, plural, one {# person not found, left empty} other {# people not found, left empty}}',
    manyTags: 'At least {count} new tags, created by the import',
    manyUnits: 'At least {count} unknown units, left empty',
    manyPeople: 'At least {count} people not found, left empty',
    unitsHint: 'To keep them, add units with these names under Units and people, then check the package again.',
    peopleHint: 'To keep them, add people with these addresses under Units and people, then check the package again.',
    more: '… and {count} more',
    download: 'Download the full list (CSV)',
  },

  failed: {
    invalid: 'The package is not valid',
    invalidHint:
      'Nothing was imported. Correct the requests in their source system, create the package again and upload it.',
    unreadable: 'Plantroom cannot read this file as a package',
    unreadableHint:
      'Nothing was imported. The file is damaged, incomplete or not a package. Create the package again, or convert the export of another system first.',
    other: {
      PREVIEW_TICKET_IMPORT: 'The check failed',
      TICKET_IMPORT: 'The import stopped',
      TICKET_EXPORT: 'The export failed',
      PREVIEW_TICKET_FILL: 'The fill check failed',
      TICKET_FILL: 'The fill stopped',
    },
    csv: 'Download the full report (CSV)',
    json: 'Download the full report (JSON)',
    again: 'Run the import again',
    unknown: 'Plantroom gave no reason.',
  },

  exporting: {
    title: 'Export',
    hint: 'Export all requests of this site, with their conversations and attachments, as one package. The export contains personal data. Store it accordingly.',
    start: 'Export all requests',
    done: 'The package is ready',
    requests: '{count, plural, one {# request} other {# requests}}',
    comments: '{count, plural, one {# comment} other {# comments}}',
    attachments: '{count, plural, one {# attachment} other {# attachments}}',
    download: 'Download ({size})',
    adjusted:
      '{count, plural, one {# stored value was changed in the package, because a package may not have it:} other {# stored values were changed in the package, because a package may not have them:}}',
    became: '{value} became {became}',
    leftOut: '{value} was left out',
    kept: 'The package is kept for at most seven days, or until three newer exports are ready.',
    removed:
      'You cannot download this package: only managers and admins can, for at most seven days, while it is one of the newest three. Export again.',
  },

  history: {
    title: 'History',
    label: 'Jobs of this site',
    kind: 'Job',
    file: 'File',
    by: 'Started by',
    byOperator: 'Operator',
    bySchedule: 'Schedule',
    byKey: '{name} (API key)',
    when: 'Started',
    result: 'Result',
    empty: 'No imports or exports yet',
    previewed: 'Valid: {added} new, {existing} already on this site',
    imported: '{count, plural, one {# request added, {skipped} skipped} other {# requests added, {skipped} skipped}}',
    exported: '{count, plural, one {# request, {size}} other {# requests, {size}}}',
    fillPreviewed: '{count, plural, one {# request can be filled} other {# requests can be filled}}',
    filled: '{count, plural, one {# request filled} other {# requests filled}}',
  },
})
