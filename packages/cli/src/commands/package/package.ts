import { byVerb, type Command } from '../../command.ts'
import { add } from './add.ts'
import { check } from './check.ts'
import { exportPackage } from './export.ts'
import { from } from './from.ts'
import { fill, importPackage, preview, upload } from './import.ts'
import { job } from './job.ts'
import { jobs } from './jobs.ts'
import { newPackage } from './new.ts'
import { SCHEDULE_USAGE, schedule } from './schedule.ts'

export const packages: Command = {
  usage: `plantroom package check FILE…           check packages of maintenance requests (.fpl) and count their contents
                                        --csv FILE        write every problem to a file: file,path,value,rule
                                        --threads N       read attachments with N threads (default 2)
plantroom package upload FILE           upload a package; replaces one with the same name. Continues an interrupted upload
plantroom package preview FILE          upload a package and show what an import would do; changes nothing
plantroom package import FILE           upload a package, show the preview, import it and wait for the result
                                        --create KINDS    create names that the site lacks: units,people,tags
                                        --map FILE        map names to existing ones, with a YAML file
                                        --dry-run         show the preview only
                                        --uploaded        FILE is the name of a package that is already uploaded
                                        --report FILE     write every problem to a .csv or .json file
                                        --numbers FILE    write the number of each imported request: externalId,number
plantroom package fill FILE             preview, then fill fields that an import left empty; takes --create,
                                        --map, --dry-run and --uploaded too
plantroom package export FILE           download all maintenance requests of the site as a package
plantroom package jobs                  list the jobs of the site and who started them; --limit N (default 20)
plantroom package job JOBID             wait for a job and print its result; takes --report and --numbers too
                                        --no-wait         print the current progress and exit
plantroom package from SOURCE INPUT… -o FILE
                                        convert an export of another system into a package. SOURCE is csv, xlsx,
                                        zendesk, glpi, jira, redmine or rt
                                        --map FILE        use this mapping of columns; written if it does not exist
                                        --preset NAME     begin with the columns of maintainx, upkeep or fiix
                                        --time-zone ZONE  of dates that name none; default that of this computer
                                        --attachments X   folder or ZIP file with the attachments
                                        --allow-missing   list attachments that are missing instead of failing
                                        --unplaced FILE   list values without a field, and where they went:
                                                          place,column,value,became
                                        --problems FILE   write every problem: place,column,problem
                                        --encoding NAME   of a CSV file that is not UTF-8, for example windows-1257
                                        --sheet NAME      of an XLSX file; default the first
plantroom package new FILE              write a package without requests
plantroom package add FILE --title T    add a request to a package. --external-id, --state, --description, --unit and
                                        so on set its fields; --tag, --watcher, --cc, --comment and --attach FILE may
                                        be repeated
                                        --json FILE       add requests from a JSON file; - reads standard input.
                                                          Attachments may have a local file instead of a path
${SCHEDULE_USAGE}

check, from, new and add work offline, with the same code as the service. With --json, check prints one line per file:
{file, valid, message, problems: [{path, value, rule}], tickets, comments, attachments}.
from prints {file, tickets, comments, attachments, unplaced: [{column, values, became}]}.
The other commands need PLANTROOM_API_KEY (or the admin token), PLANTROOM_URL, PLANTROOM_ORG and PLANTROOM_SITE, or
--url, --org and --site. With the admin token you can omit the site if only one has Maintenance Requests.
An upload of more than 8 MiB survives a lost connection. If it was interrupted, run the same command again.
With --json, preview, import and job print the job. Ctrl-C does not stop a job that has started.
The exit code is 1 if a package is invalid or a job failed.`,
  run: byVerb({
    check,
    upload,
    preview,
    import: importPackage,
    fill,
    export: exportPackage,
    jobs,
    job,
    from,
    new: newPackage,
    add,
    schedule,
  }),
}
