import { catalogue } from './language.ts'

/** The record of a commissioning. */
export const record = catalogue('record', {
  title: 'Commissioning record',
  back: 'Back to the systems',
  intro:
    'What is loaded on this controller, by whom, how it was tested, and what is still open. Signed by the service.',
  download: 'Download JSON',
  print: 'Print or save as PDF',
  open: 'Record',
  openLabel: 'Record of {device}',
  site: 'Site: {name}',
  device: 'Controller: {name} ({id})',
  software: 'Version of the controller: {version}',
  made: 'Made at {time}',
  loaded: 'Version {version}, loaded at {time} by {who}',
  warnings: '{count, plural, =0 {No open warnings} one {# open warning} other {# open warnings}}',
  noTests: 'No output has been tested.',
  rolledBack: 'Versions that the controller went back from',
  signed:
    'The service signed this record. plantroom audit verify-record checks the downloaded file without the service.',
  columns: {
    datapoint: 'Datapoint',
    connection: 'Connection',
    access: 'Access',
    unit: 'Unit',
    address: 'Address',
    tested: 'Tested with',
  },
  access: { READ: 'Read', WRITE: 'Write', READ_WRITE: 'Read and write' },
})
