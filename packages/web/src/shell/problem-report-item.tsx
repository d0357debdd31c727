import IconStethoscope from '@tabler/icons-react/dist/esm/icons/IconStethoscope.mjs'
import { lazy, Suspense, useState } from 'react'
import { useProblemReport } from '../api/use-problem-report.ts'
import { problemReport as texts } from '../texts/problem-report.ts'
import classes from './navigation.module.css'

// Few people need it.
const ProblemReportDialog = lazy(async () => ({
  default: (await import('../parts/problem-report.tsx')).ProblemReportDialog,
}))

/** Opens the problem report of the site, on every page of it. */
export function ProblemReportItem() {
  const [isOpen, setIsOpen] = useState(false)
  const load = useProblemReport()
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className={`mantine-focus-auto ${classes.item}`}>
        <IconStethoscope size={17} stroke={1.6} aria-hidden />
        <span className={classes.label}>{texts.open}</span>
      </button>
      <Suspense>{isOpen && <ProblemReportDialog load={load} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
