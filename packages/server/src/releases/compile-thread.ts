// Runs in its own thread, for one package. See compile-in-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../problem.js'
import type { CompileResult, Task } from './compile-in-thread.js'
import { compilePackage } from './compile-package.js'

const { name, bytes } = workerData as Task

const send = (result: CompileResult) => parentPort?.postMessage(result)

compilePackage(name, bytes).then(
  (compiled) => send({ compiled }),
  (error: unknown) => {
    if (error instanceof Problem) send({ failure: error.message })
    else throw error
  },
)
