import { byVerb, type Command } from '../command.ts'
import { check } from './package-check.ts'

export const packages: Command = {
  usage: `plantroom package check FILE…           say whether packages of maintenance requests (.fpl) are valid, and what is in them
                                        --csv FILE        write every problem to a file: file,path,value,rule
                                        --threads N       read attachments with N threads (default 2)

Offline, with the code that the service checks an upload with. Exit 1 when one of them is not valid.
With --json one line a file: {file, valid, message, problems: [{path, value, rule}], tickets, comments, attachments}.`,
  run: byVerb({ check }),
}
