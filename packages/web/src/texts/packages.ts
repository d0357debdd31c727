import { bytes, counted } from '../parts/value.ts'

/** The words of Import / Export. */
export const packages = {
  title: 'Import / Export: Maintenance Requests',
  intro: 'Bring requests from another system as a package (.fpl), or take those of this site along.',

  importing: {
    title: 'Import',
    drop: 'Drop a package here',
    dropHint: 'A .fpl file, at most 5 GB. It is checked first: nothing is written before you say so.',
    dropNow: 'Drop it anywhere on this page',
    choose: 'Choose a file',
    input: 'Package to import',
    forManagers: 'Managers and admins import packages. You may look at what was imported, and export.',
  },

  name: {
    title: (name: string) => `“${name}” is not a name that a package may have`,
    flaw: {
      ending: 'The name must end in .fpl.',
      'nothing-before': 'The name needs something before .fpl.',
      'too-long': 'The name may have 255 characters at most.',
      characters: 'A name may have letters (also ä, ö, õ, ü), digits, spaces and _ - . ( ).',
    },
    use: (name: string) => `Upload it as “${name}”`,
    notAPackage: 'Choose a package, or rename the file first.',
    folder: 'This is a folder. A package is one file: compress what is in the folder, then name the result .fpl.',
    several: 'Drop one package at a time.',
    tooLarge: (size: number) =>
      `This file has ${bytes(size)}; a package may have 5 GB. Divide the requests among several.`,
  },

  upload: {
    bar: (name: string) => `Upload of ${name}`,
    title: (name: string) => `Uploading ${name}`,
    gone: (loaded: number, total: number) => `${bytes(loaded)} of ${bytes(total)}`,
    speed: (perSecond: number) => `${bytes(perSecond)}/s`,
    left: (time: string) => `about ${time} left`,
    starting: 'Uploaded. The check is starting …',
    stay: 'Other pages of the console may be opened meanwhile. Closing this tab ends the upload.',
    cancel: 'Cancel the upload',
    failed: (name: string) => `${name} was not uploaded`,
    cutOff: 'The connection was cut off. Nothing of the file was kept: try again.',
    refused: (status: number) => `The file store answered ${status}. Try again; if it stays so, tell the operator.`,
    again: 'Upload it again',
    doneAway: (name: string) => `${name} is uploaded and being checked`,
    doneAwayHint: 'See Import / Export.',
  },

  job: {
    of: { PREVIEW_TICKET_IMPORT: 'Check', TICKET_IMPORT: 'Import', TICKET_EXPORT: 'Export' },
    title: (kind: string, file: string | undefined) => (file ? `${kind} of ${file}` : kind),
    accepted: (time: string) => `Started ${time}`,
    bar: (kind: string) => `${kind}: progress`,
    lost: 'The connection to the service is lost. The job goes on; this page is up to date again as soon as the service answers.',
    noWorker: 'This takes unusually long: perhaps no worker is running. Tell the operator; nothing is lost meanwhile.',
    stays: 'You may close this page: the job goes on, and this address shows it again.',
    close: 'Close',
  },

  words: {
    waiting: 'Waiting for its turn',
    starting: 'Starting',
    stages: {
      'checking manifest': 'Reading the list of requests',
      'checking files': 'Checking the files',
      comparing: 'Comparing with the requests of the site',
      importing: 'Writing requests',
      requests: 'Collecting requests',
      files: 'Packing attachments',
    } as Readonly<Record<string, string>>,
    ofBytes: (done: number, total: number) => `${bytes(done)} of ${bytes(total)}`,
    ofRequests: (done: number, total: number) => `${done.toLocaleString('en')} of ${counted(total, 'request')}`,
    attempt: (current: number, most: number) => `attempt ${current} of ${most}`,
    again: (next: number, most: number) => `attempt ${next} of ${most}; the next one starts within a minute`,
    againTitle: 'The last attempt did not finish',
    againHint: 'What was written stays. The next attempt goes on where this one stopped.',
  },

  counts: {
    new: 'New requests',
    existing: 'Here already',
    comments: 'Comments',
    attachments: 'Attachments',
    imported: 'Requests imported',
    skipped: 'Skipped, here already',
    tags: 'New tags',
    requests: 'Requests',
    size: 'Size',
  },

  preview: {
    valid: 'The package is valid',
    willDo: (added: number, existing: number) =>
      existing === 0
        ? `${counted(added, 'new request')} ${are(added)} added.`
        : `${counted(added, 'new request')} ${are(added)} added; ${existing.toLocaleString('en')} that ${are(existing)} here already ${are(existing)} skipped.`,
    nothing: (existing: number) =>
      existing === 0
        ? 'The package has no requests: there is nothing to import.'
        : `All ${counted(existing, 'request')} of the package are here already: there is nothing to import.`,
    noMail: 'Nobody is mailed. Requests that are here are never changed.',
    importAll: (added: number) => `Import ${counted(added, 'request')}`,
    forManagers: 'A manager or an admin can import it.',
  },

  imported: {
    title: 'The import is finished',
    line: (created: number, skipped: number) =>
      `${counted(created, 'request')} ${created === 1 ? 'was' : 'were'} added, ${skipped.toLocaleString('en')} skipped.`,
    seeRequests: 'See the requests',
    numbers: 'Download the numbers (CSV)',
    numbersHint: 'Which number each externalId has got here.',
  },

  findings: {
    tags: (count: number) => `${found(count, 'new tag')}: ${count === 1 ? 'it is' : 'they are'} created`,
    units: (count: number) => `${found(count, 'unknown unit')}: left empty on the requests`,
    unitsHint: 'Add them under Units and people by just these names before the import, then check again.',
    people: (count: number) => `${found(count, 'person', 'people')} not found: left out where they are named`,
    peopleHint: 'Add them under Units and people by these addresses before the import, then check again.',
    more: (count: number) => `… and ${count.toLocaleString('en')} more`,
    download: 'Download all of these (CSV)',
    person: (email: string, roles: readonly string[]) => (roles.length > 0 ? `${email} (${roles.join(', ')})` : email),
  },

  failed: {
    invalid: 'The package is not valid',
    invalidHint: 'Nothing was written. Mend it where it comes from, make it again and upload it.',
    other: {
      PREVIEW_TICKET_IMPORT: 'The check failed',
      TICKET_IMPORT: 'The import stopped',
      TICKET_EXPORT: 'The export failed',
    },
    csv: 'Download the whole report (CSV)',
    json: 'Download the whole report (JSON)',
    again: 'Run the import again',
    unknown: 'The service did not say why.',
  },

  exporting: {
    title: 'Export',
    hint: 'All requests of this site as they are now, with conversations and attachments, in one package. It holds personal data: keep it as you keep that.',
    start: 'Export all requests',
    done: 'The package is ready',
    holds: (tickets: number, comments: number, attachments: number) =>
      `${counted(tickets, 'request')}, ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')}`,
    download: (size: number) => `Download (${bytes(size)})`,
    kept: 'It is kept for seven days.',
    removed: 'This package was removed: exports are kept for seven days. Export again.',
  },

  history: {
    title: 'History',
    label: 'Jobs of this site',
    kind: 'What',
    file: 'File',
    when: 'When',
    result: 'Result',
    empty: 'Nothing was imported or exported yet',
    previewed: (added: number, existing: number) =>
      `Valid: ${added.toLocaleString('en')} new, ${existing.toLocaleString('en')} here already`,
    imported: (created: number, skipped: number) =>
      `${counted(created, 'request')} added, ${skipped.toLocaleString('en')} skipped`,
    exported: (tickets: number, size: number) => `${counted(tickets, 'request')}, ${bytes(size)}`,
  },
} as const

/** An output lists a thousand of a kind at most. */
function found(count: number, one: string, many?: string): string {
  return count >= 1000 ? `At least ${counted(count, one, many)}` : counted(count, one, many)
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are'
}
