import { NavLink } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useProblemReport } from '../api/use-problem-report.ts'
import { problemReport as texts } from '../texts/problem-report.ts'
import classes from './site-navigation.module.css'

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
      <NavLink
        component="button"
        type="button"
        label={texts.open}
        onClick={() => setIsOpen(true)}
        className={classes.item}
        mt="md"
      />
      <Suspense>{isOpen && <ProblemReportDialog load={load} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
