export declare const NODE_24: string
export declare function findNode24(): string | undefined
