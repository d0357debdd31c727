import { byVerb, type Command } from '../../command.ts'
import { check } from './check.ts'
import { exportPackage } from './export.ts'
import { importPackage, preview, upload } from './import.ts'
import { job } from './job.ts'

export const packages: Command = {
  usage: `plantroom package check FILE…           say whether packages of maintenance requests (.fpl) are valid, and what is in them
                                        --csv FILE        write every problem to a file: file,path,value,rule
                                        --threads N       read attachments with N threads (default 2)
plantroom package upload FILE           upload a package; one of the same name is replaced
plantroom package preview FILE          upload it, and say what an import would do; nothing is written
plantroom package import FILE           upload it, show the preview, import it and wait for the end
                                        --uploaded        FILE is the name of a package that is uploaded already
                                        --report FILE     write every problem to a .csv or .json file
                                        --numbers FILE    write which number each request has got: externalId,number
plantroom package export FILE           write all maintenance requests of the site to a package here
plantroom package job JOBID             follow a job to its end; --report and --numbers as above
                                        --no-wait         say how far it is, and no more

check is offline, with the code that the service checks an upload with; with --json one line a file:
{file, valid, message, problems: [{path, value, rule}], tickets, comments, attachments}.
The others need PLANTROOM_API_KEY (or the admin token), PLANTROOM_URL, PLANTROOM_ORG and PLANTROOM_SITE, or --url, --org
and --site; the site may be left out where the admin token finds just one. With --json preview, import and job print the job.
Ctrl-C leaves a job that has begun as it is. Exit 1 when a package is not valid or a job has failed.`,
  run: byVerb({ check, upload, preview, import: importPackage, export: exportPackage, job }),
}
