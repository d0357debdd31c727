import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { forgetEarlyReads, readsSettled } from './api/fetch-in-time.ts'
import { App } from './app.tsx'
import { followActiveOptions } from './parts/active-option.ts'

/** Draws the console. */
export function start(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root element')
  followActiveOptions()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  void readsSettled().then(forgetEarlyReads)
}
