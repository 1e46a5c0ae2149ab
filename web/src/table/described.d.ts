// Made from crates/tumble-server/openapi.json by `npm run types`; not to be edited.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An answer. */
        AnswerView: {
            /** Format: int64 */
            at: number;
            /** @description The member who answered, and when. */
            by: string;
            /** @description What was asked. */
            prompt: string;
            value: components["schemas"]["Value"];
        };
        /** @description Which of the changes. */
        Apply: {
            /** @description Its position in `changes`. */
            index: number;
        };
        /** @description A seat that has moved. */
        Arrived: {
            member: components["schemas"]["MemberView"];
            table: string;
        };
        /** @description The secret of a link to another device. */
        Arriving: {
            token: string;
        };
        BestAnswer: {
            all_default?: unknown;
            decisions: unknown[];
            /** Format: int64 */
            states?: number | null;
            /** @description The value of best play. */
            value: unknown;
            warnings: unknown[];
        };
        BestRequest: {
            answers?: {
                [key: string]: boolean | number | number[];
            } | null;
            args?: Record<string, never> | null;
            /** Format: int64 */
            decisions?: number | null;
            entry?: string | null;
            field?: string | null;
            fixed?: (string | null)[] | null;
            goal?: ("mean" | {
                at_least: number;
            } | {
                at_most: number;
            } | {
                exactly: number;
            }) | null;
            id?: (string | number) | null;
            minimise?: (string | null)[] | null;
            /** @example defroll "Twice" twice() { x = roll("d6"); if (userOption("Again?")) { x = roll("d6"); } return x; } */
            program: string;
            say?: components["schemas"]["Say"][] | null;
            strict?: boolean | null;
        };
        /** @description A change of a number on a sheet. */
        ChangeView: {
            /** Format: int64 */
            amount: number;
            /** @description Whether it was applied to the sheet. */
            applied: boolean;
            field: string;
            /** @description The object; empty if the roll was not made with a stored one. */
            object: string;
            owner?: string | null;
            /** @description Whether it was applied and the roll no longer asks for it. */
            stale: boolean;
        };
        CheckAnswer: {
            problems: unknown[];
            /** @description Whether it can be rolled. */
            sound: boolean;
        };
        CheckRequest: {
            id?: (string | number) | null;
            notation?: ("tabletop" | "troll" | "yadn" | "alea" | "nice" | "roll20" | "foundry" | "avrae" | "rpg-dice-roller" | "dicemaiden") | null;
            /**
             * @description The expression.
             * @example 4d6kh3
             */
            text: string;
            vars?: {
                [key: string]: string | boolean | Record<string, never> | unknown[] | number;
            } | null;
        };
        /** @description A comparison. */
        CheckView: {
            /** Format: int64 */
            end: number;
            /** Format: int64 */
            left: number;
            /** Format: int64 */
            right: number;
            sign: string;
            /** Format: int64 */
            start: number;
            success: boolean;
        };
        /** @description A new table. */
        Created: {
            /** @description The secrets of the invite links: `/t/ID#SECRET`. */
            invites: components["schemas"]["Invites"];
            /** @description Write it down: it makes you game master again on any device. */
            recovery: string;
            table: components["schemas"]["TableView"];
            you: components["schemas"]["MemberView"];
        };
        /** @enum {string} */
        DiceStatus: "new" | "kept" | "partly new";
        /** @description Dice that a script rolled. */
        DiceView: {
            dice: string;
            /** @description Each die: where it fell, its kind such as `d6`, and its place among those. */
            each: unknown[][];
            /** @description Which of them are new, if only some are. */
            new_dice?: number[];
            path: string;
            /** @description Where it is written in the script, in bytes. */
            place: number[];
            shown: string;
            status: components["schemas"]["DiceStatus"];
            total: unknown;
            values: unknown[];
        };
        /** @description Something that is done with one die. */
        DieEdit: {
            /** @description What kind of die: `d6`, `-1..1`. */
            die: string;
            /** @description `reroll`, `undo`, or `set` with a value. */
            do: string;
            /** Format: int64 */
            index: number;
            path: string;
            /** Format: int64 */
            value?: number | null;
        };
        /**
         * @description What became of a die.
         * @enum {string}
         */
        DrawState: "kept" | "dropped" | "rerolled" | "exploded";
        /** @description A die of a roll. */
        DrawView: {
            /**
             * Format: int64
             * @description The number that a rule made of it.
             */
            became?: number;
            /**
             * Format: int64
             * @description The face of a die that picks one of several values.
             */
            face?: number;
            /** Format: int64 */
            faces: number;
            /**
             * Format: int64
             * @description The die that it was rolled for.
             */
            from?: number;
            /** Format: int64 */
            index: number;
            /**
             * Format: int64
             * @description Its lowest face, if that is not 1.
             */
            lowest?: number;
            /**
             * Format: int64
             * @description What a single d20 shows.
             */
            natural?: number;
            /** @description Where it fell, and which of the dice of its kind there. */
            path: string;
            /**
             * Format: int64
             * @description What it adds to a count of successes.
             */
            score?: number;
            state: components["schemas"]["DrawState"];
            value: unknown;
        };
        /** @description A die that was rolled again or set since it fell. */
        EditedView: {
            /** @description Whether it shows what somebody set. */
            by_hand: boolean;
            /** @description What kind of die: `d6`, `-1..1`. */
            die: string;
            /** Format: int64 */
            index: number;
            path: string;
        };
        /** @description A roll of a script. */
        EntryView: {
            arguments: components["schemas"]["TypeView"];
            doc: string;
            name: string;
            result: components["schemas"]["TypeView"] | null;
            title: string;
        };
        /** @description A roll at a table. To those who may not see it, `hidden` is true and only who, when and for whom is there. */
        ExecutionView: {
            /** @description Whether it is closed: nothing can change any more. */
            closed: boolean;
            /** Format: int64 */
            created: number;
            hidden: boolean;
            /** @description The member who rolled. */
            member: string;
            /**
             * Format: int64
             * @description Counts from 1, without gaps.
             */
            number: number;
            shown?: components["schemas"]["Shown"] | null;
            /** Format: int64 */
            updated: number;
            /**
             * Format: int64
             * @description Grows with every answer and every die that is rolled again.
             */
            version: number;
            visibility: components["schemas"]["Visibility"];
        };
        GroupView: {
            /**
             * Format: int64
             * @description The number of the group, which options name.
             */
            group: number;
            items: components["schemas"]["ItemView"][];
            title: string | null;
        };
        /** @description The secrets of invite links. They are shown once; a new one ends the old one. */
        Invites: {
            player: string;
            spectator: string;
        };
        /** @description Which link. */
        Inviting: {
            /** @description `player` or `spectator`. */
            role: components["schemas"]["Role"];
        };
        /** @description A line, or a group of them. */
        ItemView: components["schemas"]["LineView"] | components["schemas"]["GroupView"];
        /** @description What a guest brings. */
        Joining: {
            /** @description Your name. */
            name: string;
            /** @description The secret of the invite link: what stands behind its `#`. */
            token: string;
        };
        /** @description A bot and its key. */
        KeyView: {
            member: components["schemas"]["MemberView"];
            /** @description Shown once. Send it as `Authorization: Bearer …`. */
            token: string;
        };
        /**
         * @description What an execution is about.
         * @enum {string}
         */
        Kind: "roll" | "script";
        LineView: {
            style?: string;
            text: string;
        };
        /** @description How a document looks. */
        LookRequest: {
            /** @description Every row of a long table. */
            all?: boolean | null;
            show?: (("exactly" | "at_least" | "at_most" | "percent" | "fraction") | ("exactly" | "at_least" | "at_most" | "percent" | "fraction")[]) | null;
            size?: (number | number[]) | null;
            theme?: ("auto" | "light" | "dark") | null;
            /** @description Words above it. */
            title?: string | null;
            /**
             * Format: int64
             * @description The columns of a line.
             */
            width?: number | null;
        };
        /** @description How the dice of a member fell. */
        Luck: {
            /**
             * Format: double
             * @description The average place of a die among its faces, from 0 (the lowest) to 1 (the highest); fair dice average 1/2.
             */
            average?: number | null;
            /**
             * Format: double
             * @description How many standard deviations that is from 1/2.
             */
            deviations?: number | null;
            /**
             * Format: int64
             * @description How many dice, without those that were typed in or set by hand.
             */
            dice: number;
            member: string;
        };
        /** @description What can be changed about a member. */
        MemberChange: {
            /** @description Your own, or anybody's for the game master. */
            name?: string | null;
            role?: components["schemas"]["Role"] | null;
        };
        /** @description Somebody who sits or sat at a table. */
        MemberView: {
            /** @description Whether it is a bot. */
            bot: boolean;
            /** @description Whether they have left. */
            gone: boolean;
            id: string;
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description What became of an object. */
        Migration: {
            /** @description What was put aside, or took its default, and why. */
            notes: string[];
            object: string;
        };
        /** @description An answer to an option. */
        NewAnswer: {
            /** @description Dice that you rolled by hand for what the answer leads to. */
            dice?: number[];
            /** @description The path of the option. */
            path: string;
            /** @description True or false, a number, or an array of positions. */
            value: components["schemas"]["Value"];
            /**
             * Format: int64
             * @description The version of the roll that you saw; if it has changed since, nothing is answered.
             */
            version?: number | null;
        };
        /** @description A bot. */
        NewKey: {
            /** @description The name of the bot. */
            name: string;
            /** @description What it may do: what a `player` or a `spectator` may. */
            role: components["schemas"]["Role"];
        };
        /** @description A new object. */
        NewObject: {
            /** @description Its fields; those that are left out take their defaults. */
            data?: Record<string, never>;
            /** @description The member it belongs to: yourself, unless the game master says otherwise; empty for the game master. */
            owner?: string | null;
            /** @description The name of its type in the script. */
            type: string;
            /** @description `everyone` by default, or `master`. */
            visibility?: components["schemas"]["Visibility"];
        };
        /** @description An expression to roll. */
        NewRoll: {
            /** @description The dice that you rolled by hand, in order. */
            dice?: number[];
            /** @description What it is for. */
            label?: string | null;
            /** @description Its notation; `tabletop` by default. */
            notation?: string | null;
            /** @description A character whose numbers are values too: `@str` is its field `str`. */
            object?: string | null;
            /**
             * @description The expression.
             * @example 1d20 + 5
             */
            text: string;
            /** @description Values for its names. */
            vars?: {
                [key: string]: number;
            };
            visibility?: components["schemas"]["Visibility"];
        };
        /** @description A roll of the script. */
        NewRun: {
            /** @description Its arguments; `{"$object":"ID"}` stands for a stored object. */
            args?: Record<string, never>;
            /** @description The first dice, rolled by hand. */
            dice?: number[];
            /** @description The roll, by its name or title. */
            entry: string;
            label?: string | null;
            visibility?: components["schemas"]["Visibility"];
        };
        /** @description A roll to save. */
        NewSaved: {
            name: string;
            notation?: string | null;
            params?: components["schemas"]["SavedParam"][];
            /** @description Whether everyone at the table has it. */
            shared?: boolean;
            /**
             * @description The expression; `@str` is a value that is asked for if `params` names it.
             * @example 1d20 + @str
             */
            text: string;
        };
        /** @description A new version. */
        NewScript: {
            /**
             * Format: int64
             * @description The number of the version that you changed; if there is a newer one, nothing is written.
             */
            from?: number | null;
            /** @description The name of a rule pack; its saved rolls come along. */
            pack?: string | null;
            /** @description The script; leave it out to take a rule pack. */
            text?: string | null;
        };
        /** @description What a new table needs. */
        NewTable: {
            /** @description What the server asks for, if not everybody may make tables on it. */
            create_key?: string | null;
            /** @description The name of the table. */
            name: string;
            /** @description A rule pack to begin with; `/api/v1/packs` lists them. */
            pack?: string | null;
            /** @description Your own name. */
            you: string;
        };
        NotationsAnswer: {
            notations: unknown[];
        };
        /** @enum {string} */
        NoteLevel: "error" | "warning";
        /** @description Something to say about an expression or a script: what, where, and what to write instead. */
        NoteView: {
            code: string;
            /** @description What to change in the text. */
            edits?: components["schemas"]["ReplaceView"][];
            /** Format: int64 */
            end?: number;
            hint?: string | null;
            /** @description Whether it is an error. */
            level?: components["schemas"]["NoteLevel"];
            message: string;
            /**
             * Format: int64
             * @description Its place, in bytes.
             */
            start?: number;
        };
        /** @description What can be changed about an object. */
        ObjectChange: {
            /** @description All of its fields. */
            data?: Record<string, never> | null;
            /** @description For the game master. */
            owner?: string | null;
            /**
             * Format: int64
             * @description The version that you changed; if there is a newer one, nothing is written.
             */
            version: number;
            visibility?: components["schemas"]["Visibility"] | null;
        };
        /** @description A character, a monster, or whatever else the script has a type for. */
        ObjectView: {
            data: Record<string, never>;
            deleted: boolean;
            id: string;
            /** @description What the current script has no field for. */
            leftover: Record<string, never>;
            /** @description The member it belongs to; empty for the game master's. */
            owner: string;
            /** @description The name of its type. */
            type: string;
            /**
             * Format: int64
             * @description Grows with every change.
             */
            version: number;
            /** @description `everyone`, or `master` for owner and game master. */
            visibility: components["schemas"]["Visibility"];
        };
        OddsAnswer: {
            /** @description Whether every listed probability is complete. */
            exact?: boolean | null;
            mean?: unknown;
            /** @description Each outcome with its probability, a fraction in lowest terms. */
            outcomes?: unknown[] | null;
            /** @description The probability of everything that is not listed. */
            unresolved?: unknown;
            variance?: unknown;
            warnings?: unknown[] | null;
        };
        OddsRequest: {
            approx?: boolean | null;
            at_least?: (number | number[]) | null;
            at_most?: (number | number[]) | null;
            between?: (string | string[]) | null;
            exactly?: ((number | string) | ((number | string) | (number | string)[])[]) | null;
            explain?: boolean | null;
            format?: ("text" | "md" | "csv" | "html" | "svg") | null;
            id?: (string | number) | null;
            /**
             * Format: int64
             * @description Cut loops after this many rolls.
             */
            iterations?: number | null;
            look?: components["schemas"]["LookRequest"] | null;
            /** @description A name for the roll. */
            name?: string | null;
            notation?: ("tabletop" | "troll" | "yadn" | "alea" | "nice" | "roll20" | "foundry" | "avrae" | "rpg-dice-roller" | "dicemaiden") | null;
            return?: ("outcomes" | "digest") | null;
            /** Format: int64 */
            samples?: number | null;
            seed?: number | null;
            sweep?: {
                [key: string]: number[] | string;
            } | null;
            /**
             * @description The expression.
             * @example 4d6kh3
             */
            text: string;
            vars?: {
                [key: string]: string | boolean | Record<string, never> | unknown[] | number;
            } | null;
            verify?: boolean | null;
        };
        /** @description What a script offers: its types as JSON Schema, and its rolls. */
        OfferView: {
            $defs: {
                [key: string]: components["schemas"]["TypeView"];
            };
            rolls: components["schemas"]["EntryView"][];
            version: string;
        };
        /** @description A decision of a player. */
        OptionView: {
            asked?: string;
            choices?: string[];
            default: unknown;
            /**
             * Format: int64
             * @description The group where it was met.
             */
            group: number | null;
            /** Format: int64 */
            high?: number;
            kind?: string;
            /** Format: int64 */
            line: number;
            /**
             * Format: int64
             * @description The smallest and the largest number that may be chosen.
             */
            low?: number;
            /** @description The character whose decision it is, and its object. */
            owner: string | null;
            owner_id: string | null;
            path: string;
            place: number[];
            prompt: string;
            /** @description An answer that was given before and fits no longer, and what was asked then. */
            unfit?: unknown;
            value: unknown;
        };
        /** @description What came of an execution: of an expression, or of a roll of the script. */
        OutcomeView: components["schemas"]["RollOutcome"] | components["schemas"]["RunOutcome"];
        /** @description A pack, in words. */
        PackView: {
            about: string;
            name: string;
            title: string;
        };
        /** @description The fields of an error, for the description of the API. */
        Problem: {
            /** @description What kind of error it is. */
            code: components["schemas"]["ProblemCode"];
            /** @description What is wrong, in words for players. */
            detail: string;
            /**
             * Format: int64
             * @description Where it ends.
             */
            end?: number | null;
            /** @description What to do about it. */
            hint?: string | null;
            /** @description A name that the notation has for it. */
            kind?: string | null;
            /**
             * Format: int64
             * @description Where it begins in the expression or program, in bytes.
             */
            start?: number | null;
            /**
             * Format: int32
             * @description The status.
             */
            status: number;
            /** @description The name of the status. */
            title: string;
            /** @description Always `about:blank`: the status and the code say what it is. */
            type: string;
        };
        /**
         * @description The kinds of errors.
         * @enum {string}
         */
        ProblemCode: "syntax" | "name" | "type" | "runtime" | "limit" | "endless" | "request" | "stopped" | "mistake" | "not_found" | "method" | "host" | "rate" | "busy" | "forbidden" | "unauthorized" | "conflict" | "too_large" | "server";
        /** @description A change of a sheet that a roll proposes. */
        ProposedView: {
            /** Format: int64 */
            amount: number;
            field: string;
            owner: string | null;
            owner_id: string | null;
        };
        /** @description The code of a game master who lost everything else. */
        Recovering: {
            code: string;
        };
        ReplaceView: {
            /** Format: int64 */
            end: number;
            /** Format: int64 */
            start: number;
            text: string;
        };
        /** @description Who may see it from now on. */
        Reveal: {
            visibility: components["schemas"]["Visibility"];
        };
        /**
         * @description Who may do something.
         * @enum {string}
         */
        Right: "game_master" | "owner";
        /**
         * @description What somebody is at a table.
         * @enum {string}
         */
        Role: "spectator" | "player" | "game_master";
        RollAnswer: {
            draws?: components["schemas"]["DrawView"][] | null;
            /** @description The expression with its dice and the result. */
            line?: string | null;
            /** @description With `times`, one entry for each roll. */
            rolls?: unknown[] | null;
            /** Format: int64 */
            seed?: number | null;
            /** @description The result as people read it. */
            text?: string | null;
            trace?: Record<string, never> | null;
            value?: unknown;
            warnings?: unknown[] | null;
        };
        /** @description What came of an expression. */
        RollOutcome: {
            checks?: components["schemas"]["CheckView"][];
            /** @description What was written behind the roll. */
            comment?: string;
            draws: components["schemas"]["DrawView"][];
            /** @description Subtotals by label. */
            labels?: {
                [key: string]: number;
            };
            /** @description The expression with its dice and the result. */
            line: string;
            /** @description The result as people read it. */
            text: string;
            trace: Record<string, never>;
            value: unknown;
            warnings: string[];
        };
        RollRequest: {
            /** @description The values of the dice, in order. */
            feed?: number[] | null;
            id?: (string | number) | null;
            /** @description How lucky the roll was. */
            luck?: boolean | null;
            notation?: ("tabletop" | "troll" | "yadn" | "alea" | "nice" | "roll20" | "foundry" | "avrae" | "rpg-dice-roller" | "dicemaiden") | null;
            render?: ("text" | "markdown" | "plain") | null;
            seed?: number | null;
            /**
             * @description The expression.
             * @example 4d6kh3
             */
            text: string;
            /**
             * Format: int64
             * @description So many rolls.
             */
            times?: number | null;
            vars?: {
                [key: string]: string | boolean | Record<string, never> | unknown[] | number;
            } | null;
        };
        /** @description What a run shows. */
        RunAnswer: {
            changes: components["schemas"]["ProposedView"][];
            /** @description The dice, for the next run. */
            dice: Record<string, never>;
            /** Format: int64 */
            fed: number;
            /** @description The options that were met. */
            options: components["schemas"]["OptionView"][];
            outputs: unknown[];
            remembered: string[];
            /** @description What the roll returned. */
            result?: unknown;
            rolls: components["schemas"]["DiceView"][];
            /** @description The same as a tree of groups and lines. */
            tree: components["schemas"]["ItemView"][];
            version: string;
            warnings: unknown[];
        };
        /** @description What came of a roll of the script. */
        RunOutcome: {
            changes: components["schemas"]["ProposedView"][];
            /** @description Why it did not come to its end. */
            error?: components["schemas"]["NoteView"];
            /** @description The options that were met. */
            options: components["schemas"]["OptionView"][];
            outputs: unknown[];
            /** @description Where dice are remembered that did not fall this time. */
            remembered: string[];
            /** @description What the roll returned. */
            result?: unknown;
            rolls: components["schemas"]["DiceView"][];
            /** @description The same as a tree of groups and lines. */
            tree: components["schemas"]["ItemView"][];
        };
        RunRequest: {
            answers?: {
                [key: string]: boolean | number | number[];
            } | null;
            args?: Record<string, never> | null;
            /** @description The dice of the last answer. */
            dice?: Record<string, never> | null;
            edits?: unknown[] | null;
            /** @description The roll, by name or title. */
            entry?: string | null;
            feed?: number[] | null;
            id?: (string | number) | null;
            /** @example defroll "Twice" twice() { x = roll("d6"); if (userOption("Again?")) { x = roll("d6"); } return x; } */
            program: string;
            seed?: number | null;
            strict?: boolean | null;
            version?: string | null;
        };
        /** @description A value of a saved roll. */
        SavedParam: {
            /** Format: int64 */
            default: number;
            name: string;
        };
        /** @description A roll with a name. */
        SavedView: {
            deleted: boolean;
            id: string;
            name: string;
            notation: string;
            /** @description The member who saved it. */
            owner: string;
            /** @description Values that are asked for when it is rolled: names such as `str` in `d20 + @str`. */
            params: components["schemas"]["SavedParam"][];
            /** @description Whether everyone at the table has it. */
            shared: boolean;
            text: string;
        };
        /** @description An answer to all options with this prompt. */
        Say: {
            owner?: string | null;
            prompt: string;
            value: unknown;
        };
        ScriptCheckAnswer: {
            problems: components["schemas"]["NoteView"][];
            /** @description The types, constants and rolls of the script. */
            schema: components["schemas"]["OfferView"];
            sound: boolean;
        };
        /** @description What every request about a script begins with. */
        ScriptCheckRequest: {
            /**
             * Format: int64
             * @description Also give what could be written here, in bytes from the start.
             */
            at?: number | null;
            id?: (string | number) | null;
            /** @example defroll "Twice" twice() { x = roll("d6"); if (userOption("Again?")) { x = roll("d6"); } return x; } */
            program: string;
            /** @description Whether slips are errors. */
            strict?: boolean | null;
            /** @description Also give the classes of the words, for an editor. */
            tokens?: boolean | null;
        };
        ScriptOddsRequest: {
            answers?: {
                [key: string]: boolean | number | number[];
            } | null;
            args?: Record<string, never> | null;
            at_least?: (number | number[]) | null;
            at_most?: (number | number[]) | null;
            between?: (string | string[]) | null;
            entry?: string | null;
            exactly?: ((number | string) | ((number | string) | (number | string)[])[]) | null;
            explain?: boolean | null;
            /** @description The field of the record that is returned. */
            field?: string | null;
            format?: ("text" | "md" | "csv" | "html" | "svg") | null;
            id?: (string | number) | null;
            look?: components["schemas"]["LookRequest"] | null;
            name?: string | null;
            /** @example defroll "Twice" twice() { x = roll("d6"); if (userOption("Again?")) { x = roll("d6"); } return x; } */
            program: string;
            say?: components["schemas"]["Say"][] | null;
            strict?: boolean | null;
            sweep?: {
                [key: string]: number[] | string;
            } | null;
        };
        /** @description A script and its versions. */
        ScriptView: {
            author: string;
            /** Format: int64 */
            created: number;
            /**
             * Format: int64
             * @description 0 if there is none yet.
             */
            number: number;
            problems: components["schemas"]["NoteView"][];
            /** @description Its types and rolls. */
            schema: components["schemas"]["OfferView"];
            text: string;
            /** @description All versions, newest first. */
            versions: components["schemas"]["VersionView"][];
        };
        /** @description A table that somebody has a seat at. */
        SeatView: {
            id: string;
            member: string;
            name: string;
            role: components["schemas"]["Role"];
            /** Format: int64 */
            touched: number;
        };
        /** @description The secret of a link. */
        Secret: {
            token: string;
        };
        /** @description The inside of an execution. */
        Shown: {
            /** @description What was answered, by path. */
            answers?: {
                [key: string]: components["schemas"]["AnswerView"];
            };
            before?: components["schemas"]["OutcomeView"] | null;
            /** @description Changes that the roll proposes for objects. */
            changes?: components["schemas"]["ChangeView"][];
            /** @description Dice that were rolled again or set since they fell. */
            edited?: components["schemas"]["EditedView"][];
            entry?: string | null;
            kind: components["schemas"]["Kind"];
            /** @description What somebody wrote beside it. */
            label?: string | null;
            notation?: string | null;
            /** @description What `batch` answers to a roll or a run: `value`, `line`, `draws`, or `result`, `tree`, `rolls`, `options`. */
            outcome: components["schemas"]["OutcomeView"];
            /** @description Who may answer each option that is open, by its path: a member, or empty for the game master. */
            owners?: {
                [key: string]: string;
            };
            picked?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description The number of the script, its roll, and the objects that were picked for its parameters.
             */
            script?: number | null;
            /** @description The expression, its notation and its values. */
            text?: string | null;
            /** @description The title of a roll of the script. */
            title?: string | null;
            /**
             * Format: int64
             * @description How many dice were typed in or set by hand.
             */
            typed: number;
            vars?: {
                [key: string]: number;
            };
        };
        /** @description What can be changed about a table. */
        TableChange: {
            name?: string | null;
            settings?: components["schemas"]["TableSettings"] | null;
        };
        /** @description The data of an event. Others than these may come, and mean nothing to a page. */
        TableEvent: {
            execution: components["schemas"]["ExecutionView"];
            /** @enum {string} */
            kind: "execution";
        } | {
            /** @enum {string} */
            kind: "member";
            member: components["schemas"]["MemberView"];
            members?: components["schemas"]["MemberView"][] | null;
        } | {
            gone?: string | null;
            /** @enum {string} */
            kind: "object";
            object?: components["schemas"]["ObjectView"] | null;
        } | {
            gone?: string | null;
            /** @enum {string} */
            kind: "saved";
            saved?: components["schemas"]["SavedView"] | null;
        } | {
            author: string;
            /** @enum {string} */
            kind: "script";
            /** Format: int64 */
            number: number;
        } | {
            deleted?: boolean | null;
            /** @enum {string} */
            kind: "table";
            table?: components["schemas"]["TableView"] | null;
        } | {
            /** @enum {string} */
            kind: "presence";
            online: string[];
        } | {
            /** @enum {string} */
            kind: "pack";
            pack: string;
        };
        /** @description How a table is played. */
        TableSettings: {
            /**
             * @description Who may roll a single die again, or set it.
             * @default game_master
             */
            reroll: components["schemas"]["Right"];
            /**
             * @description Who may take an answer back after its dice were seen: `game_master`, or `owner` for free toggling.
             * @default game_master
             */
            take_back: components["schemas"]["Right"];
            /**
             * @description Whether players may type in the dice that they rolled by hand.
             * @default true
             */
            typed_dice: boolean;
        };
        /** @description Everything that a page needs to begin with. */
        TableState: {
            /** @description The latest rolls, newest first. */
            executions: components["schemas"]["ExecutionView"][];
            /**
             * Format: int64
             * @description Events after this one are news.
             */
            last_event: number;
            members: components["schemas"]["MemberView"][];
            objects: components["schemas"]["ObjectView"][];
            /** @description The members who have the table open. */
            online: string[];
            saved: components["schemas"]["SavedView"][];
            table: components["schemas"]["TableView"];
            /** @description Who asks. */
            you: components["schemas"]["MemberView"];
        };
        /** @description A table, in short. */
        TableView: {
            /**
             * Format: int64
             * @description When it was made, in milliseconds since 1970.
             */
            created: number;
            id: string;
            name: string;
            /**
             * Format: int64
             * @description The number of the current script; 0 if there is none.
             */
            script: number;
            settings: components["schemas"]["TableSettings"];
        };
        TranslateAnswer: {
            notation?: string | null;
            text: string;
        };
        TranslateRequest: {
            id?: (string | number) | null;
            notation?: ("tabletop" | "troll" | "yadn" | "alea" | "nice" | "roll20" | "foundry" | "avrae" | "rpg-dice-roller" | "dicemaiden") | null;
            /**
             * @description The expression.
             * @example 4d6kh3
             */
            text: string;
            /** @enum {string} */
            to: "tabletop" | "troll" | "yadn" | "alea" | "nice" | "roll20" | "foundry" | "avrae" | "rpg-dice-roller" | "dicemaiden";
            vars?: {
                [key: string]: string | boolean | Record<string, never> | unknown[] | number;
            } | null;
        };
        /** @enum {string} */
        TypeName: "integer" | "boolean" | "string" | "array" | "object";
        /** @description A type of a script, as JSON Schema. */
        TypeView: {
            $ref?: string;
            default?: unknown;
            description?: string;
            enum?: string[];
            /** @description `dice` for a text that is an expression. */
            format?: string;
            items?: components["schemas"]["TypeView"];
            properties?: {
                [key: string]: components["schemas"]["TypeView"];
            };
            title?: string;
            type?: components["schemas"]["TypeName"];
            /** @description What the members of an enum mean. */
            "x-docs"?: {
                [key: string]: string;
            };
            /** @description The names of the properties as the script lists them. */
            "x-order"?: string[];
        };
        Value: unknown;
        /** @description A version of a script. */
        VersionView: {
            author: string;
            /** Format: int64 */
            created: number;
            /** Format: int64 */
            number: number;
        };
        /**
         * @description Who may see the inside of a roll.
         * @enum {string}
         */
        Visibility: "everyone" | "master" | "blind" | "own";
        WorthAnswer: {
            /** @description Each answer with what it is worth. */
            answers: unknown[][];
            warnings: unknown[];
        };
        WorthRequest: {
            answers?: {
                [key: string]: boolean | number | number[];
            } | null;
            args?: Record<string, never> | null;
            dice?: Record<string, never> | null;
            edits?: unknown[] | null;
            entry?: string | null;
            feed?: number[] | null;
            field?: string | null;
            fixed?: (string | null)[] | null;
            goal?: ("mean" | {
                at_least: number;
            } | {
                at_most: number;
            } | {
                exactly: number;
            }) | null;
            id?: (string | number) | null;
            minimise?: (string | null)[] | null;
            /** @description The path of the option. */
            path: string;
            /** @example defroll "Twice" twice() { x = roll("d6"); if (userOption("Again?")) { x = roll("d6"); } return x; } */
            program: string;
            seed?: number | null;
            strict?: boolean | null;
            then?: "best" | null;
            version?: string | null;
        };
        /** @description What a new version changed. */
        Written: {
            /** @description What became of the objects whose data did not fit as it was. */
            migrated: components["schemas"]["Migration"][];
            script: components["schemas"]["ScriptView"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
