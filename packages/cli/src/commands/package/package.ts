import { command } from '../../declare.ts'
import { add } from './add.ts'
import { check } from './check.ts'
import { exportPackage } from './export.ts'
import { from } from './from.ts'
import { fill, importPackage, preview, upload } from './import.ts'
import { job } from './job.ts'
import { jobs } from './jobs.ts'
import { newPackage } from './new.ts'
import { SCHEDULE } from './schedule.ts'
import { to } from './to.ts'

export const packages = command('package', {
  group: 'requests',
  about: 'check, import and export packages of maintenance requests (.fpl)',
  notes: `check, from, to, new and add work offline, with the same code as the service. The others use the API key (ticket:read_write; ticket:read is enough for export, jobs and job), or the admin token without a key. With the admin token you can omit the site if only one has Maintenance Requests.
An upload of more than 8 MiB survives a lost connection. If it was interrupted, run the same command again. Ctrl-C does not stop a job that has started.
The exit code is 1 if a package is invalid or a job failed.`,
  verbs: {
    check,
    upload,
    preview,
    import: importPackage,
    fill,
    export: exportPackage,
    jobs,
    job,
    from,
    to,
    new: newPackage,
    add,
    ...SCHEDULE,
  },
})
