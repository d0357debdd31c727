import { byVerb, type Command } from '../../command.ts'
import { check } from './check.ts'
import { exportPackage } from './export.ts'
import { importPackage, preview, upload } from './import.ts'
import { job } from './job.ts'
import { SCHEDULE_USAGE, schedule } from './schedule.ts'

export const packages: Command = {
  usage: `plantroom package check FILE…           check packages of maintenance requests (.fpl) and count their contents
                                        --csv FILE        write every problem to a file: file,path,value,rule
                                        --threads N       read attachments with N threads (default 2)
plantroom package upload FILE           upload a package; replaces one with the same name
plantroom package preview FILE          upload a package and show what an import would do; changes nothing
plantroom package import FILE           upload a package, show the preview, import it and wait for the result
                                        --uploaded        FILE is the name of a package that is already uploaded
                                        --report FILE     write every problem to a .csv or .json file
                                        --numbers FILE    write the number of each imported request: externalId,number
plantroom package export FILE           download all maintenance requests of the site as a package
plantroom package job JOBID             wait for a job and print its result; takes --report and --numbers too
                                        --no-wait         print the current progress and exit
${SCHEDULE_USAGE}

check works offline, with the same code as the service. With --json it prints one line per file:
{file, valid, message, problems: [{path, value, rule}], tickets, comments, attachments}.
The other commands need PLANTROOM_API_KEY (or the admin token), PLANTROOM_URL, PLANTROOM_ORG and PLANTROOM_SITE, or
--url, --org and --site. With the admin token you can omit the site if only one has Maintenance Requests.
With --json, preview, import and job print the job. Ctrl-C does not stop a job that has started.
The exit code is 1 if a package is invalid or a job failed.`,
  run: byVerb({ check, upload, preview, import: importPackage, export: exportPackage, job, schedule }),
}
