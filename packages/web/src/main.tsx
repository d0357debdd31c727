import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { reloadAfterUpdate } from './reload-after-update.ts'

reloadAfterUpdate()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no element to draw into')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
