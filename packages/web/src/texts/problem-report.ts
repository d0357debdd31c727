import { catalogue } from './language.ts'

/** The report for people who help with a problem. */
export const problemReport = catalogue('problemReport', {
  open: 'Problem report',
  title: 'Problem report',
  intro:
    'Send this to the person who helps you. It contains versions, states and recent alerts, and no secrets, mail addresses or names of people. Read it before you send it.',
  withLog: 'It also contains recent log lines about this site, because you are an administrator.',
  text: 'Report',
  copy: 'Copy text',
  downloadText: 'Download text',
  downloadJson: 'Download JSON',
})
