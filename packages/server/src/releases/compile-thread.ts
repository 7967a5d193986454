// Runs in a thread of its own, for one package. See compile-in-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../problem.js'
import type { Task, Verdict } from './compile-in-thread.js'
import { compilePackage } from './compile-package.js'

const { name, bytes } = workerData as Task

const answer = (verdict: Verdict) => parentPort?.postMessage(verdict)

compilePackage(name, bytes).then(
  (compiled) => answer({ compiled }),
  (error: unknown) => {
    if (error instanceof Problem) answer({ refusal: error.message })
    else throw error
  },
)
