//! Random programs, as text, so that a failing one can be read.

/// A small generator, apart from the ones under test.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A random program.
pub(crate) fn random(seed: u64) -> String {
    let mut writer = Writer { dice: Dice(seed), ints: vec!["n".to_owned()], pools: vec![], names: 0 };
    // The function may call itself through `body`; most programs stop, the limits stop the others.
    let body = writer.int(3);
    writer.ints.clear();
    let main = if writer.dice.below(3) == 0 { writer.int(4) } else { writer.pool(4) };
    format!("f(n) = if some(less(0, gather(n))) then add(sub(n, 1), {body}) else 1; {main}")
}

struct Writer {
    dice: Dice,
    ints: Vec<String>,
    pools: Vec<String>,
    names: usize,
}

impl Writer {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn with_int(&mut self, name: &str, write: impl FnOnce(&mut Self) -> String) -> String {
        self.ints.push(name.to_owned());
        let text = write(self);
        self.ints.pop();
        text
    }

    fn int(&mut self, depth: u64) -> String {
        if depth == 0 {
            return match (self.dice.below(3), self.ints.last()) {
                (0, Some(name)) => name.clone(),
                (1, _) => format!("draw(1..{})", 1 + self.dice.below(6)),
                _ => self.dice.below(4).to_string(),
            };
        }
        let d = depth - 1;
        match self.dice.below(10) {
            0 => format!("{}({}, {})", self.dice.pick(&["add", "sub", "mul"]), self.int(d), self.int(d)),
            1 => format!("draw({}..{})", self.dice.below(2), self.int(d)),
            2 => self.dice.pick(&["draw(1 x2 or 3 x1)", "draw(of [1, 1, 5])", "draw(0..3)"]).to_owned(),
            3 => format!("if {} then {} else {}", self.truth(d), self.int(d), self.int(d)),
            4 => format!("f(draw(0..{}))", self.dice.below(3)),
            5 => {
                let (name, value) = (self.fresh(), self.int(d));
                let body = self.with_int(&name, |w| w.int(d));
                format!("let {name} = {value} in {body}")
            }
            6 => {
                let (name, body) = (self.fresh(), self.int(d));
                let stop = self.with_int(&name, |w| w.truth(d));
                format!("until({name} = {body}, {stop}, at most {})", 1 + self.dice.below(3))
            }
            7 => {
                let (name, start) = (self.fresh(), self.int(d));
                let body = self.with_int(&name, |w| w.int(d));
                let step = format!("add(1, mul({body}, {}))", self.dice.below(2));
                format!("loop({name} = {start}, while some(more(3, gather({name}))), add({name}, {step}))")
            }
            _ => format!("{}({})", self.dice.pick(&["sum", "count"]), self.pool(d)),
        }
    }

    fn pool(&mut self, depth: u64) -> String {
        if depth == 0 {
            return match (self.dice.below(2), self.pools.last()) {
                (0, Some(name)) => name.clone(),
                _ => self.dice.pick(&["[1, 2, 2]", "[]", "gather(repeat(3, draw(1..4)))"]).to_owned(),
            };
        }
        let d = depth - 1;
        match self.dice.below(9) {
            0 => format!("gather(repeat(draw(0..{}), {}))", self.dice.below(3), self.int(d)),
            1 => format!("gather(repeat({}, draw(1..{})))", self.dice.below(4), self.int(d)),
            2 => {
                let (name, pool) = (self.fresh(), self.pool(d));
                let body = self.with_int(&name, |w| w.int(d));
                format!("gather(each({name} in {pool}, {body}))")
            }
            3 => {
                let (name, body) = (self.fresh(), self.int(d));
                let stop = self.with_int(&name, |w| w.truth(d));
                format!("gather(accumulate({name} = {body}, {stop}, at most {}))", 1 + self.dice.below(3))
            }
            4 => {
                format!("{}({}, {})", self.dice.pick(&["largest", "least", "less", "equal"]), self.int(d), self.pool(d))
            }
            5 => format!("{}({})", self.dice.pick(&["bag", "different", "maximal"]), self.pool(d)),
            6 => format!("draw({} of {})", self.dice.below(3), self.pool(d)),
            7 => {
                let (name, value) = (self.fresh(), self.pool(d));
                self.pools.push(name.clone());
                let body = self.pool(d);
                self.pools.pop();
                format!("let {name} = {value} in {body}")
            }
            _ => format!("gather({}, {})", self.int(d), self.pool(d)),
        }
    }

    fn truth(&mut self, depth: u64) -> String {
        let d = depth.saturating_sub(1);
        match self.dice.below(4) {
            0 if depth > 0 => {
                let (left, right) = (self.truth(d), self.truth(d));
                format!("{}({left}, {right})", self.dice.pick(&["both", "either"]))
            }
            1 => format!("some({})", self.pool(d)),
            _ => format!("some(less({}, gather({})))", self.dice.below(4), self.int(d)),
        }
    }
}
