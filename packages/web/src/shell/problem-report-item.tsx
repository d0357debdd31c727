import { NavLink } from '@mantine/core'
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
      <NavLink
        component="button"
        type="button"
        label={texts.open}
        leftSection={<IconStethoscope size={17} stroke={1.6} aria-hidden />}
        onClick={() => setIsOpen(true)}
        className={classes.item}
      />
      <Suspense>{isOpen && <ProblemReportDialog load={load} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
